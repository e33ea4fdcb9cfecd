package report_test

import (
	"fmt"

	"rfm/model/show/report"
)

// The first column has words, the others numbers, unless Words says otherwise.
func ExampleTable() {
	t := report.Table{
		Header: []string{"method", "error"},
		Rows: [][]string{
			{"linear", report.Error(0.435, 3)},
			{"kernel ridge", report.Error(0.0306, 3)},
		},
	}
	fmt.Print(t.Text())
	// Output:
	// method        error
	// linear        0.435
	// kernel ridge  0.031
}
