package chart

import (
	"fmt"
	"time"

	"rfm/config"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/quantity"
	"rfm/tui/table"
)

// A RunColumn is a column of the table of stored runs.
type RunColumn struct {
	table.Column
	Order string // of store.Orders that sorts by it; empty if none does
	Title string
	Cell  func(e store.Entry, now time.Time) string
}

// ofRun is a cell that runs which cannot be read do not have.
func ofRun(cell func(l store.Listed) string) func(store.Entry, time.Time) string {
	return func(e store.Entry, _ time.Time) string {
		if e.Fault != nil {
			return ""
		}
		return cell(e.Listed())
	}
}

// RunColumns are all there are.
var RunColumns = []RunColumn{
	{table.Column{Words: true, Least: 34}, "name", "name",
		func(e store.Entry, _ time.Time) string { return printable.Line(e.Name) }},
	{table.Column{Words: true, Goes: 5}, "problem", "problem",
		ofRun(func(l store.Listed) string { return printable.Line(l.Problem) })},
	{table.Column{Words: true, Goes: 8}, "method", "method", ofRun(func(l store.Listed) string { return l.Method })},
	{table.Column{Goes: 4}, "n", "n", ofRun(func(l store.Listed) string { return fmt.Sprint(l.N) })},
	{table.Column{Goes: 3}, "m", "m", ofRun(func(l store.Listed) string { return fmt.Sprint(l.M) })},
	{table.Column{Goes: 6}, "", "grid", ofRun(func(l store.Listed) string {
		return fmt.Sprintf("%s=%d", config.Config{Problem: l.Problem}.GridSymbol(), l.Grid)
	})},
	{table.Column{}, "error", "error", func(e store.Entry, _ time.Time) string { return RunState(e) }},
	{table.Column{Goes: 7}, "time", "time",
		ofRun(func(l store.Listed) string { return quantity.Age(time.Duration(l.Time * 1e9)) })},
	{table.Column{Goes: 9}, "size", "size",
		ofRun(func(l store.Listed) string { return quantity.Bytes(float64(l.Bytes)) })},
	{table.Column{Goes: 1}, "when", "age", func(e store.Entry, now time.Time) string {
		if e.Fault != nil {
			return ""
		}
		return quantity.Age(now.Sub(e.Manifest.Updated))
	}},
	{table.Column{Words: true, Least: 12, Goes: 2}, "", "note",
		func(e store.Entry, _ time.Time) string { return e.Note }},
}

// RunState is the error of a complete run, or how far a run is.
func RunState(e store.Entry) string {
	name, stage := e.Manifest.Next()
	switch v := e.Manifest.TestError; {
	case e.Fault != nil:
		return "cannot be read"
	case v != nil && *v >= 1e-3:
		return fmt.Sprintf("%.5f", *v)
	case v != nil:
		return fmt.Sprintf("%.3g", *v)
	case e.Manifest.Complete():
		return "complete"
	case e.Shared && e.Holder == nil: // others have more than the run itself
		return "split"
	}
	return fmt.Sprintf("%s %d%%", name, stage.Percent())
}
