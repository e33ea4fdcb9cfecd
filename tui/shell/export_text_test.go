package shell

import (
	"testing"

	"rfm/model/report"
)

func TestTablesAreCopiedAligned(t *testing.T) {
	r := report.Page{Tables: []report.Table{{Title: "one", Header: []string{"K", "error"},
		Rows: [][]string{{"17", "0.05"}}}, {Header: []string{"a", ""}, Rows: [][]string{{"b", "c"}}}}}
	if got, want := tablesText(r), "one\nK   error\n17   0.05\n\na\nb  c\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
