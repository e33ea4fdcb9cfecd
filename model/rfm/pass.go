package rfm

// Pass is a pass over the training samples that is under way. Its fields share memory with the sums.
type Pass struct {
	Centred bool        // the means of the samples seen are taken off
	Samples *int        // that it has seen
	Updated *int        // rows that have seen one block of samples more, see Normal
	Rows    [][]float64 // everything that it has summed
}

// Pass is the pass that sums normal equations: the rows of S from the diagonal on, then b.
func (n *Normal) Pass() Pass {
	p := Pass{Centred: n.Means != nil, Samples: &n.Samples, Updated: &n.Updated}
	for i := range n.Sums.Order() {
		p.Rows = append(p.Rows, n.Sums.Row(i))
	}
	p.Rows = append(p.Rows, n.RHS)
	return p
}
