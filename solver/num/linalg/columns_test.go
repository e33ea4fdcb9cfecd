package linalg

import (
	"fmt"
	"math"
	"testing"

	"rfm/solver/num/simd"
)

// Columns adds the product, with the kernels of every level.
func TestColumnsAreTheProduct(t *testing.T) {
	for _, level := range append(levels(), simd.Generic) {
		for _, size := range [][3]int{{1, 1, 8}, {4, 3, 8}, {5, 33, 8}, {7, 2, 24}, {33, 31, 16}} {
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
