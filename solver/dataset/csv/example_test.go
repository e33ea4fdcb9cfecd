package csv_test

import (
	"fmt"
	"strings"

	"rfm/solver/dataset/csv"
)

// A table of numbers, with a line of names that no number begins.
func ExampleRead() {
	const text = "x,u\n0,1\n0.5,2\n"
	table, err := csv.Read(strings.NewReader(text), int64(len(text)), "table.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := table.Rows()
	fmt.Println(rows, err)
	// Output:
	// [[0 1] [0.5 2]] <nil>
}
