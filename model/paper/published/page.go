package published

import (
	"maps"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/report"
)

// Page returns the published numbers of a study of a problem, one of m-n, transfer and resolution: a figure and
// its table. The page is empty for other studies.
func Page(problem, study string) (p report.Page) {
	f := published()
	sampling, resolution, transfer, symbol := f.BurgersMN, f.BurgersResolution, f.BurgersTransfer, "K"
	switch problem {
	case config.Burgers:
	case config.Darcy:
		sampling, resolution, transfer, symbol = f.DarcyMN, f.DarcyResolution, f.DarcyTransfer, "r"
	default:
		return p
	}
	figure := report.Figure{Title: "published error", LogX: true, LogY: true}
	add := func(name string, x []int, y []float64) {
		c := report.Curve{Name: name, Y: y}
		for _, v := range x {
			c.X = append(c.X, float64(v))
		}
		figure.Curves = append(figure.Curves, c)
	}
	switch study {
	case "m-n":
		figure.XLabel = "m"
		for _, n := range ascending(sampling.ByN) {
			add("n="+n, sampling.M, sampling.ByN[n])
		}
	case "resolution":
		figure.XLabel = symbol
		for _, m := range ascending(resolution.ByM) {
			c := resolution.ByM[m]
			add("m="+m, slices.Concat(c.K, c.R), c.Test)
		}
	case "transfer":
		figure.XLabel = "tested on " + symbol
		by := transfer.ByTrainK
		if by == nil {
			by = transfer.ByTrainR
		}
		for _, grid := range ascending(by) {
			add("trained on "+symbol+"="+grid, slices.Concat(transfer.TestK, transfer.TestR), by[grid])
		}
	default:
		return p
	}
	table := report.Table{Header: []string{figure.XLabel}}
	for _, x := range figure.Curves[0].X {
		table.Rows = append(table.Rows, []string{strconv.Itoa(int(x))})
	}
	for _, c := range figure.Curves {
		table.Header = append(table.Header, c.Name)
		for i := range table.Rows {
			cell := ""
			if i < len(c.Y) {
				cell = report.Error(c.Y[i], 4)
			}
			table.Rows[i] = append(table.Rows[i], cell)
		}
	}
	return report.Page{Name: problem + "-" + study, Tables: []report.Table{table}, Figures: []report.Figure{figure}}
}

// ascending returns the names of curves, which are numbers, in ascending order.
func ascending[T any](curves map[string]T) []string {
	return slices.SortedFunc(maps.Keys(curves), func(a, b string) int { return number(a) - number(b) })
}

// number converts the name of a curve to a number; the names are part of the program.
func number(name string) int {
	v, err := strconv.Atoi(name)
	if err != nil {
		panic("published: " + err.Error())
	}
	return v
}
