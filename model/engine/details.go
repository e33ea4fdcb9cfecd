package engine

import (
	"strconv"

	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Detail is a mean error of the test predictions in one norm; see rfm.Details.
type Detail struct {
	Name string  `json:"name"`
	Test float64 `json:"test"`
}

// Details returns mean errors of the test predictions in several norms, and writes the errors of each sample to a .csv
// file. The error is a *fault.Data.
func (v *Evaluation) Details(file string) ([]Detail, error) {
	all := rfm.MeasureDetails(v.Predictions, v.TestPairs.Outputs)
	rows := [][]string{append([]string{"sample"}, rfm.DetailNames()...)}
	for i, d := range all {
		row := []string{strconv.Itoa(i)}
		for _, v := range d.Values() {
			row = append(row, report.Exact(v))
		}
		rows = append(rows, row)
	}
	if err := files.WriteFile(file, report.CSV(rows)); err != nil {
		return nil, fault.Unwritten(file, err, "choose another --details")
	}
	var means []Detail
	for i, mean := range rfm.AverageDetails(all) {
		means = append(means, Detail{rfm.DetailNames()[i], mean})
	}
	return means, nil
}
