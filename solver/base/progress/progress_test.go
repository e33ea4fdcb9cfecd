package progress

import (
	"testing"
	"time"
)

func TestLineLeavesOutTheLeastFirst(t *testing.T) {
	began := time.Unix(1000, 0)
	p := Progress{Stage: "train", Unit: "samples", Done: 300, Total: 1000, Before: 100, Began: began,
		Now: began.Add(20 * time.Second), Note: "35 GF/s"}
	for width, want := range map[int]string{
		0:  "300 of 1000 samples, 20 s, 10/s, 35 GF/s, 70 s left",
		46: "300 of 1000 samples, 20 s, 10/s, 70 s left",
		40: "300 of 1000 samples, 20 s, 70 s left",
		16: "300 of 1000 samples, 70 s left",
	} {
		if got := p.Line(width); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestNumbersThatAreNotKnownAreNotTold(t *testing.T) {
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		p    Progress
		want string
	}{
		{Progress{Unit: "pairs", Began: began, Now: began.Add(3 * time.Second)}, "3.0 s"},
		{Progress{Unit: "pairs", Total: 8, Began: began, Now: began}, "0 of 8 pairs, 0 ms"},
		{Progress{Unit: "pairs", Done: 5, Before: 5, Total: 8, Began: began, Now: began.Add(time.Second)},
			"5 of 8 pairs, 1.0 s"},
		{Progress{Unit: "pairs", Done: 8, Total: 8, Began: began, Now: began.Add(time.Second)}, "8 of 8 pairs, 1.0 s"},
		{Progress{Unit: "methods", Done: 5, Total: 6, Began: began, Now: began.Add(time.Second)}, "5 of 6 methods, 1.0 s"},
	} {
		if got := c.p.Line(0); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
		if left := c.p.Left(); left != 0 {
			t.Errorf("%+v has %v left", c.p, left)
		}
	}
}
