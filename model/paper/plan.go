package paper

import (
	"rfm/config"
	"rfm/model/paper/published"
)

// plan is the sizes of a problem's studies. Grids are K for Burgers and r for Darcy.
type plan struct {
	base config.Config // the paper's experiment; Data is the data to generate, Features.Count the largest m

	n, m int // of all studies except the one over m and n

	samplingGrid int // study over m and n
	samplingN    []int
	samplingM    []int

	grids       []int // study over the grid; the last grid is the reference for coefficients
	resolutionM []int

	transferFrom, transferTo []int

	sampleN, sampleM, sampleGrid int
}

// Bytes returns the peak memory of a reproduction, as measured.
func Bytes(quick bool) float64 {
	const mib = 1 << 20
	if quick {
		return 220 * mib
	}
	return 1450 * mib
}

// planOf returns the sizes of the published numbers, or smaller ones if quick.
func planOf(problem string, quick bool) plan {
	base := config.Config{Problem: problem}.Of().Start()
	p := plan{base: base, n: base.Data.Train, m: base.Features.Count, samplingGrid: base.Train.Grid}
	p.samplingN, p.samplingM = published.Axes(problem, "m-n")
	p.resolutionM, p.grids = published.Axes(problem, "resolution")
	p.transferFrom, p.transferTo = published.Axes(problem, "transfer")
	sampleN, sampleM := published.Axes(problem, "sample")
	p.sampleN, p.sampleM, p.sampleGrid = sampleN[0], sampleM[0], base.Data.Grid
	switch {
	case quick && problem == config.Darcy:
		p.base.Data.Grid, p.base.Data.Test = 129, 100
		p.samplingN, p.samplingM, p.grids = p.samplingN[:6], p.samplingM[:6], p.grids[:4]
		p.transferFrom, p.transferTo = []int{17, 65}, p.transferTo[:5]
		p.sampleN, p.sampleM, p.sampleGrid = 128, 256, 65
	case quick:
		p.base.Data.Grid, p.base.Data.Test = 257, 256
		p.samplingN, p.samplingM, p.grids = p.samplingN[:7], p.samplingM[:6], p.grids[:5]
		p.transferFrom, p.transferTo, p.sampleGrid = p.transferFrom[:2], p.grids, p.base.Data.Grid
	}
	p.base.Data.Train = max(p.n, p.samplingN[len(p.samplingN)-1])
	p.base.Features.Count = max(p.m, p.samplingM[len(p.samplingM)-1])
	return p
}

// seedsPlan returns the sizes for measuring the scatter over draws: coarser data grids, on which errors are close to
// the paper's, and fewer test inputs. draws is the number of draws of data and features.
func seedsPlan(problem string, quick bool) (p plan, draws int) {
	p, draws = planOf(problem, quick), 10
	if problem == config.Darcy {
		p.base.Data.Grid, p.base.Data.Test = 129, 500
		p.grids = []int{9, 17, 33, 65}
		p.transferFrom, p.transferTo = []int{17, 65}, []int{9, 17, 33, 65, 129}
	} else {
		p.base.Data.Grid, p.base.Data.Test = 257, 1000
		p.samplingGrid = 33
		p.grids = []int{17, 33, 65}
		p.transferFrom, p.transferTo = []int{65}, []int{17, 33, 65, 129}
		p.base.Train.Grid = 65
	}
	if quick {
		draws = 5
		p.base.Data.Test = 100
		p.samplingN = []int{p.samplingN[0], p.samplingN[2], p.samplingN[4]}
		if problem == config.Darcy {
			p.base.Data.Grid = 65
			p.grids = p.grids[:3]
			p.transferFrom, p.transferTo = []int{17, 33}, p.transferTo[:4]
		}
	}
	p.base.Data.Train = max(p.n, p.samplingN[len(p.samplingN)-1])
	return p, draws
}
