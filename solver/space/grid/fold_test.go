package grid

import (
	"math"
	"slices"
	"testing"
)

// On a torus twice as long, an odd function between two sides continues to a sum of sines, an even one to a sum of
// cosines.
func TestFunctionsContinueAcrossSides(t *testing.T) {
	waves := map[Parity]func(float64) float64{Odd: math.Sin, Even: math.Cos}
	for _, d := range Domains() {
		if d.Periodic {
			continue
		}
		points := 12 + d.ends()
		rows, columns := d.Axes(points)
		across := d.Intervals(columns)
		offset := 0.0
		if d.Cells {
			offset = 0.5
		}
		for parity, wave := range waves {
			of := func(f []float64, rows, columns int) {
				for x := range f {
					u := wave(3 * math.Pi * (float64(x%columns) + offset) / float64(across))
					if rows > 1 {
						u *= wave(2 * math.Pi * (float64(x/columns) + offset) / 12)
					}
					f[x] = u
				}
			}
			part := NewBatch(d, points, 2)
			torus := d.Doubled()
			want := NewBatch(torus, d.DoubledPoints(points), 1)
			tall, wide := torus.Axes(want.Points)
			for i := range part.Count {
				of(part.At(i), rows, columns)
			}
			of(want.Data, tall, wide)
			got := part.Doubled(parity)
			near := func(a, b float64) bool { return math.Abs(a-b) < rounding }
			if got.Domain != torus || !slices.EqualFunc(got.At(1), want.Data, near) {
				t.Errorf("%s %s do not continue to %s waves", parity, d.Name(), parity)
			}
			if back := got.Halved(d); back.Domain != d || !slices.EqualFunc(back.Data, part.Data, near) {
				t.Errorf("%s %s come back as others", parity, d.Name())
			}
		}
	}
}

func TestSeveralChannelsContinueEach(t *testing.T) {
	b := BatchOf(Interval.With(2), 3, []float64{1, 2, 3, 4, 5, 6})
	want := []float64{1, 2, 3, 2, 1, 4, 5, 6, 5, 4}
	if got := b.Doubled(Even); !slices.Equal(got.Data, want) || got.Domain != Torus.With(2) {
		t.Errorf("got %g on %s, want %g", got.Data, got.Domain.Name(), want)
	}
	if got := b.Doubled(Even).Halved(Interval); !slices.Equal(got.Data, b.Data) {
		t.Errorf("got %g back, want %g", got.Data, b.Data)
	}
}

// Functions continue across the far end alone, at points and at cells.
func TestWidenedFunctionsContinueAcrossTheFarEnd(t *testing.T) {
	for _, c := range []struct {
		cells bool
		far   Parity
		want  []float64
	}{
		{false, Even, []float64{1, 2, 3, 2, 1}},
		{false, Odd, []float64{1, 2, 0, -2, -1}},
		{true, Even, []float64{1, 2, 3, 3, 2, 1}},
		{true, Odd, []float64{1, 2, 3, -3, -2, -1}},
	} {
		b := NewBatch(Domain{Dims: 1, Cells: c.cells}, 3, 1)
		copy(b.Data, []float64{1, 2, 3})
		wide := b.Widened(c.far)
		if !slices.Equal(wide.Data, c.want) || wide.Domain != b.Domain {
			t.Errorf("cells %v, %v: %v on %s, want %v", c.cells, c.far, wide.Data, wide.Domain.Name(), c.want)
		}
		if back := wide.Narrowed(); back.Points != 3 || back.At(0)[0] != 1 || back.At(0)[1] != 2 {
			t.Errorf("cells %v, %v: the half is %v", c.cells, c.far, back.Data)
		}
	}
}
