package score

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/space/grid"
)

// Fluctuation describes functions by their distances from one mean function, in root mean squares over functions and
// channels. Each channel is measured in its own root mean square, as by Measure.
type Fluctuation struct {
	Share    float64 // norm of the mean relative to that of the functions
	Relative float64 // error of the predictions relative to the distance of the functions from the mean; 0 without one
}

// FluctuationOf compares predictions with the truth where functions fluctuate around a mean, of which means has as many
// copies as there are functions:
//
//	Relative = sqrt(sum_i |u_i - F(a_i)|^2 / sum_i |u_i - mean|^2),  Share = |mean| / sqrt(sum_i |u_i|^2 / n)
func FluctuationOf(predictions, truth, means grid.Batch) Fluctuation {
	// Sums of squares of all channels, each in units of its own sum of squares of the truth.
	errors := 0.0    // of the predictions
	distances := 0.0 // from the mean
	sizes := 0.0     // of the mean
	channels := 0.0  // of the truth: one for each channel that is not zero
	one := truth.Domain.One()
	for c := range truth.Domain.Width() {
		u := truth.Channel(c)
		unit := u.Unit()
		u = u.In(unit)
		p := predictions.Channel(c).In(unit)
		mean := means.Channel(c).In(unit)
		square := 0.0
		for i := range u.Count {
			square += one.Inner(u.At(i), u.At(i))
		}
		if square == 0 {
			continue
		}
		channels++
		difference := make([]float64, u.Values())
		for i := range u.Count {
			floats.SubTo(difference, p.At(i), u.At(i))
			errors += one.Inner(difference, difference) / square
			floats.SubTo(difference, mean.At(i), u.At(i))
			distances += one.Inner(difference, difference) / square
			sizes += one.Inner(mean.At(i), mean.At(i)) / square
		}
	}
	f := Fluctuation{}
	if channels > 0 {
		f.Share = math.Sqrt(sizes / channels)
	}
	if distances > 0 {
		f.Relative = math.Sqrt(errors / distances)
	}
	return f
}
