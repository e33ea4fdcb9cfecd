// The first steps of a new user.

package screen

import (
	"context"
	"errors"
	"math"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/show/interchange"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/tuitest"
)

// writeOwn writes pairs of functions with names and layout of a user's own.
func writeOwn(t *testing.T, name string) {
	t.Helper()
	const n, points = 60, 33
	in, out := make([]float64, n*points), make([]float64, n*points)
	for i := range n {
		for j := range points {
			x := 2 * math.Pi * float64(j) / (points - 1)
			c, s := math.Sin(float64(3*i+1)), math.Cos(float64(5*i+2))
			in[i*points+j] = c*math.Cos(x) + s*math.Sin(2*x)
			out[i*points+j] = c*math.Sin(x) - s*math.Cos(2*x)/2
		}
	}
	shape := []int{n, points}
	arraytest.NPZ(t, name, map[string]npy.Array{"inputs": {Shape: shape, Data: in}, "outputs": {Shape: shape, Data: out}})
}

func learn(ctx context.Context, name string) (config.Config, error) {
	c, files, err := interchange.Configuration(ctx, name)
	return c, errors.Join(err, files.Close())
}

// Pairs that are left out of a file are reported where its pairs are shown.
func TestPairsThatAreLeftOutAreSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, r = 12, 8
	a, u := make([]float64, n*r*r), make([]float64, n*r*r)
	for i := range a {
		a[i], u[i] = math.Sin(float64(i/7)), math.Cos(float64(i/5))
	}
	u[r*r] = math.NaN()
	arraytest.NPZ(t, "cells.npz", map[string]npy.Array{"a": {Shape: []int{n, r, r}, Data: a},
		"u": {Shape: []int{n, r, r}, Data: u}})
	c, err := learn(t.Context(), "cells.npz")
	noError(t, err)
	p := newPerson(t, Options{Config: c})
	p.Press("2", "enter")
	p.See("note: cells.npz: 1 of 12 pairs left out (data.skip)")
	p.fits("a note", 60, 15)
}

// A frame of the first page costs little: the table of presets is made when they or the estimates change, and the
// screen below is not drawn. A table for each frame takes 2800 allocations, without estimates.
func TestFirstPageIsDrawnFromWhatIsKnown(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 1, Start: true})
	p.See("your own data")
	const most = 1800
	if got := testing.AllocsPerRun(5, func() { p.M.View() }); got > most {
		t.Errorf("%g allocations for a frame that has not changed, at most %d", got, most)
	}
}

// Nothing computes before the first frame, which it would delay.
func TestFirstFrameComesFirst(t *testing.T) {
	m := Options{Config: tuitest.Tiny(t)}.model()
	m.Init()
	if _, cmd := m.Update(tea.WindowSizeMsg{Width: 80, Height: 24}); cmd != nil {
		t.Error("a screen works before the first frame")
	}
}
