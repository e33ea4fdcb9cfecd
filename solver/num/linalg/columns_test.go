package linalg

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/solver/num/simd"
)

// Columns adds the product, with the kernels of every level.
func TestColumnsAreTheProduct(t *testing.T) {
	for _, level := range append(levels(), simd.Generic) {
		for _, size := range [][3]int{{1, 1, 8}, {4, 3, 8}, {5, 33, 8}, {7, 2, 24}, {33, 31, 16}, {23, 9, 8}} {
			rows, cols, width := size[0], size[1], size[2]
			t.Run(fmt.Sprint(level, size), func(t *testing.T) {
				m := normal(rows*cols, 1)
				src := normal(cols*width, 2)
				dst := normal(rows*width, 3)
				want := make([]float64, len(dst))
				for i := range rows {
					for j := range width {
						want[i*width+j] = dst[i*width+j]
						for k := range cols {
							want[i*width+j] += m[i*cols+k] * src[k*width+j]
						}
					}
				}
				active := kernels{level}
				for first := 0; first < width; first += columnLanes {
					active.columns(dst[first:], width, m, rows, cols, src[first:], width)
				}
				for i, v := range dst {
					if math.Abs(v-want[i]) > 200*unit*(10+math.Abs(want[i])) {
						t.Fatalf("entry %d is %v, want %v", i, v, want[i])
					}
				}
			})
		}
	}
}

// Kernels of AVX2 and AVX-512 add in one order, so that results do not depend on the processor.
func TestColumnsAreEqualWithAllVectors(t *testing.T) {
	const cols = 31
	src := normal(cols*columnLanes, 2)
	for rows := range 20 {
		m := normal(rows*cols, 1)
		var first []float64
		for _, level := range levels()[1:] {
			dst := normal(rows*columnLanes, 3)
			kernels{level}.columns(dst, columnLanes, m, rows, cols, src, columnLanes)
			if first == nil {
				first = dst
			}
			if !slices.Equal(dst, first) {
				t.Errorf("%d rows: %v differs", rows, level)
			}
		}
	}
}

// Operands may be every other row of larger matrices, and groups of rows may be packed, with equal numbers.
func TestPackedProductsAreThoseOfColumns(t *testing.T) {
	for _, rows := range []int{1, 5, 16, 31, 47} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) { testPacked(t, rows) })
	}
}

func testPacked(t *testing.T, rows int) {
	const cols = 7
	m := normal(rows*cols, 1)
	src := normal(2*cols*columnLanes, 2)
	dst := make([]float64, 2*rows*columnLanes)
	second := dst[columnLanes:]
	Pack(m, rows, cols).AddTo(second, 2*columnLanes, src[columnLanes:], 2*columnLanes)
	var dense []float64
	for i := 1; i < 2*cols; i += 2 {
		dense = append(dense, src[i*columnLanes:][:columnLanes]...)
	}
	want := make([]float64, rows*columnLanes)
	Columns(want, m, rows, cols, dense, columnLanes)
	for i := range 2 * rows {
		expected := make([]float64, columnLanes)
		if i%2 == 1 {
			expected = want[i/2*columnLanes:][:columnLanes]
		}
		if got := dst[i*columnLanes:][:columnLanes]; !slices.Equal(got, expected) {
			t.Errorf("row %d is %v, want %v", i, got, expected)
		}
	}
}

func BenchmarkColumns(b *testing.B) {
	const n = 64
	m := normal(n*n, 1)
	src := normal(n*columnLanes, 2)
	dst := make([]float64, n*columnLanes)
	for b.Loop() {
		Columns(dst, m, n, n, src, columnLanes)
	}
	b.ReportMetric(float64(2*n*n*columnLanes*b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}
