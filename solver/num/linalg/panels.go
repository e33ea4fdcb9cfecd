// Package linalg contains the linear algebra of training: the packed symmetric rank-k update that sums a Gram matrix,
// and the solution of symmetric positive semidefinite systems by Cholesky or by one tridiagonalisation that serves
// every regularisation.
//
// Features are stored in panels of four (Panels). Symmetric.RankUpdate sums their Gram matrix; Symmetric.Leading copies
// the block of the first features. Factor solves one system; for several values of lambda or rcond, Decompose once and
// solve with the Spectral. Greedy selects the most useful columns.
//
// The hot kernels exist in assembly and in pure Go; package simd chooses. Results are a function of the arguments and
// of that choice alone: the number of workers never changes a bit.
package linalg

import "gonum.org/v1/gonum/blas/blas64"

// Panels is a rows x cols matrix stored as panels of four columns: entry (r, j)
// is Panel(j/4)[4*r+j%4]. The columns from cols to 4*Count() are padding: zero at
// first, free to be overwritten with anything, and no result depends on them.
type Panels struct {
	rows   int
	cols   int
	count  int // of panels
	stride int // distance of two panels in data
	data   []float64
}

// strip is the number of columns of the widest kernel tile: orders are padded to a multiple of it.
const strip = 24

// NewPanels returns a zero matrix.
func NewPanels(rows, cols int) *Panels {
	count := padded(cols) / 4
	stride := 4 * rows
	return &Panels{
		rows:   rows,
		cols:   cols,
		count:  count,
		stride: stride,
		data:   make([]float64, count*stride),
	}
}

// Rows and Cols are the dimensions; Count is the number of panels, ceil(cols/4) rounded up to the needs of the kernels.
func (p *Panels) Rows() int  { return p.rows }
func (p *Panels) Cols() int  { return p.cols }
func (p *Panels) Count() int { return p.count }

// Panel returns panel i, columns 4*i to 4*i+3, as a slice of 4*Rows() values that shares memory with p.
func (p *Panels) Panel(i int) []float64 {
	panel := p.data[i*p.stride:]
	return panel[: 4*p.rows : 4*p.rows]
}

// at returns the index of entry (r, j) in data.
func (p *Panels) at(r, j int) int { return j/4*p.stride + 4*r + j%4 }

// At returns entry (r, j).
func (p *Panels) At(r, j int) float64 { return p.data[p.at(r, j)] }

// set sets entry (r, j).
func (p *Panels) set(r, j int, v float64) { p.data[p.at(r, j)] = v }

// SetRow sets row r of the matrix.
func (p *Panels) SetRow(r int, values []float64) {
	for j, v := range values {
		p.set(r, j, v)
	}
}

// SetColumn sets column j, or its first rows.
func (p *Panels) SetColumn(j int, values []float64) {
	panel := p.Panel(j / 4)[j%4:]
	for r, v := range values {
		panel[4*r] = v
	}
}

// SetColumns sets all columns, which lie one after the other.
func (p *Panels) SetColumns(values []float64) {
	j := 0
	rows := p.rows
	for ; j+4 <= p.cols; j += 4 {
		panel := p.Panel(j / 4)
		columns := values[j*rows:][:4*rows]
		// Slices of one length each spare the checks of indices.
		c0 := columns[:rows]
		c1 := columns[rows:][:rows]
		c2 := columns[2*rows:][:rows]
		c3 := columns[3*rows:][:rows]
		for r := range c0 {
			row := (*[4]float64)(panel[4*r:])
			row[0] = c0[r]
			row[1] = c1[r]
			row[2] = c2[r]
			row[3] = c3[r]
		}
	}
	for ; j < p.cols; j++ {
		p.SetColumn(j, values[j*rows:][:rows])
	}
}

// AddRow adds row r to dst.
func (p *Panels) AddRow(dst []float64, r int) {
	for j := range dst[:p.cols] {
		dst[j] += p.At(r, j)
	}
}

// TransposeOf returns the transpose of a row-major matrix in panels.
func TransposeOf(m blas64.General) *Panels {
	p := NewPanels(m.Cols, m.Rows)
	for i := range m.Rows {
		p.SetColumn(i, m.Data[i*m.Stride:][:m.Cols])
	}
	return p
}

// PanelsOf returns a row-major matrix in panels.
func PanelsOf(m blas64.General) *Panels {
	p := NewPanels(m.Rows, m.Cols)
	for r := range m.Rows {
		p.SetRow(r, m.Data[r*m.Stride:][:m.Cols])
	}
	return p
}

// Dense returns the rows, as row-major values.
func (p *Panels) Dense() []float64 {
	dense := make([]float64, p.rows*p.cols)
	for r := range p.rows {
		row := dense[r*p.cols:][:p.cols]
		for j := range row {
			row[j] = p.At(r, j)
		}
	}
	return dense
}

// padded rounds n up to a multiple of strip.
func padded(n int) int {
	strips := ceilDiv(n, strip)
	return strips * strip
}
