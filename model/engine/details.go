package engine

import (
	"strconv"

	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Detail is a mean error of the test predictions in one norm; see rfm.DetailNames.
type Detail struct {
	Name string  `json:"name"`
	Test float64 `json:"test"`
}

// Details returns mean errors of the test predictions in several norms, and writes the errors of each sample to a .csv
// file. The error is a *fault.Data.
func (v *Evaluation) Details(file string) ([]Detail, error) {
	all := rfm.MeasureDetails(v.Predictions, v.TestPairs.Outputs)
	means, rows := make([]Detail, len(rfm.DetailNames())), [][]string{append([]string{"sample"}, rfm.DetailNames()...)}
	for i, errors := range all {
		row := []string{strconv.Itoa(i)}
		for k, v := range errors {
			means[k].Name = rfm.DetailNames()[k]
			means[k].Test += v / float64(len(all))
			row = append(row, report.Exact(v))
		}
		rows = append(rows, row)
	}
	if err := files.WriteFile(file, report.CSV(rows)); err != nil {
		return nil, fault.Unwritten(file, err, "choose another --details")
	}
	return means, nil
}
