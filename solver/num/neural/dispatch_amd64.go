package neural

//go:generate go run -tags assembly ./internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg neural

// Columns of the tiles of the kernels.
const (
	wideTile   = 24
	narrowTile = 8
)

// addProductVectors is AddProduct. Wide tiles come first, then narrow ones.
func addProductVectors(c, a, b Matrix[float32]) {
	if a.Cols == 0 {
		return
	}
	for i := 0; i < c.Rows; i += tileRows {
		if i+tileRows > c.Rows {
			addLastRows(c, a, b, i)
			return
		}
		left := &a.Data[i*a.Stride]
		j := 0
		for ; j+wideTile <= c.Stride; j += wideTile {
			sum := &c.Data[i*c.Stride+j]
			product4x24AVX2(a.Cols, left, a.Stride, &b.Data[j], b.Stride, sum, c.Stride)
		}
		for ; j < c.Stride; j += narrowTile {
			sum := &c.Data[i*c.Stride+j]
			product4x8AVX2(a.Cols, left, a.Stride, &b.Data[j], b.Stride, sum, c.Stride)
		}
	}
}

// addLastRows adds the rows from first on, fewer than a tile has, by way of a tile of its own, because other numbers may
// follow those of C in memory.
func addLastRows(c, a, b Matrix[float32], first int) {
	var tile [tileRows * wideTile]float32
	left := &a.Data[first*a.Stride]
	for j := 0; j < c.Stride; {
		width := narrowTile
		clear(tile[:])
		if j+wideTile <= c.Stride { // by two direct calls, because the tile would move to the heap otherwise
			width = wideTile
			product4x24AVX2(a.Cols, left, a.Stride, &b.Data[j], b.Stride, &tile[0], width)
		} else {
			product4x8AVX2(a.Cols, left, a.Stride, &b.Data[j], b.Stride, &tile[0], width)
		}
		for i := first; i < c.Rows; i++ {
			sum := c.Data[i*c.Stride+j:][:width]
			row := tile[(i-first)*width:][:width]
			for k, v := range row {
				sum[k] += v
			}
		}
		j += width
	}
}

// addProductTransposedVectors is AddProductTransposed. It sums over parts of the rows that stay in the cache.
func addProductTransposedVectors(c, a, b Matrix[float32]) {
	const part = 256 // columns
	for at := 0; at < a.Stride; at += part {
		groups := min(part, a.Stride-at) / narrowTile
		for j := 0; j < c.Cols; j += 2 {
			right := &b.Data[j*b.Stride+at]
			for i := 0; i < c.Rows; i += tileRows {
				left := &a.Data[i*a.Stride+at]
				sum := &c.Data[i*c.Stride+j]
				dots4x2AVX2(groups, left, a.Stride, right, b.Stride, sum, c.Stride)
			}
		}
	}
}

// addSpectraVectors is AddSpectra.
func addSpectraVectors(c, p, q Spectra[float32], groups int, conjugate bool) {
	kernel := spectraAVX2
	if conjugate {
		kernel = conjugateSpectraAVX2
	}
	if p.Cols == 0 {
		return
	}
	for i := 0; i < c.Rows; i += 2 {
		for j := 0; j < c.Cols; j += 2 {
			for g := range groups {
				at := g * groupSize
				left := &p.Data[i*p.Row+at]
				right := &q.Data[j*q.Column+at]
				sum := &c.Data[i*c.Row+j*c.Column+at]
				kernel(p.Cols, left, p.Row, p.Column, right, q.Row, q.Column, sum, c.Row, c.Column)
			}
		}
	}
}

func geluVectors(y, slope, x []float32) {
	if len(x) > 0 {
		geluAVX2(len(x)/8, &x[0], &y[0], &slope[0])
	}
}

func multiplyVectors(y, x []float32) {
	if len(x) > 0 {
		multiplyAVX2(len(x)/8, &y[0], &x[0])
	}
}

func addVectors(y, x []float32) {
	if len(x) > 0 {
		accumulateAVX2(len(x)/8, &y[0], &x[0])
	}
}

func adamVectors(w, g, mean, square []float32, rate, unbiased, decay, epsilon float32) {
	if len(w) > 0 {
		adamAVX2(len(w)/8, &w[0], &g[0], &mean[0], &square[0], rate, unbiased, decay, epsilon)
	}
}
