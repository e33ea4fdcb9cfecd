// Pictures of predictions.

package interchange

import (
	"testing"

	"rfm/solver/space/grid"
)

// Each channel of the outputs is drawn, beside the only one of the inputs, and named.
func TestEveryChannelOfAPredictionIsShown(t *testing.T) {
	two := grid.NewBatch(grid.Interval.With(2), 3, 1)
	for k := range two.Data {
		two.Data[k] = float64(k)
	}
	p := Predicted{
		Domain:  grid.Interval,
		inputs:  grid.NewBatch(grid.Interval, 3, 1),
		outputs: two,
		truth:   two,
	}
	figures, fields := p.Shown(0, false)
	if len(figures) != 2 || len(fields) != 0 {
		t.Fatalf("%d figures and %d fields of two channels", len(figures), len(fields))
	}
	titles := []string{"channel 1 of 1 in, 1 of 2 out", "channel 1 of 1 in, 2 of 2 out"}
	for channel, f := range figures {
		if f.Title != titles[channel] {
			t.Errorf("figure %d is called %q, want %q", channel, f.Title, titles[channel])
		}
		for _, curve := range f.Curves[1:] {
			if curve.Y[2] != two.Of(0, channel)[2] {
				t.Errorf("%s of channel %d ends at %g", curve.Name, channel+1, curve.Y[2])
			}
		}
	}
}
