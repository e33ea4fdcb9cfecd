package grid

import (
	"errors"
	"math"
	"testing"

	"rfm/solver/fault"
)

func sampled(r int, f func(x, y float64) float64) []float64 {
	values := make([]float64, 0, r*r)
	for i := range r {
		for j := range r {
			values = append(values, f(float64(i)/float64(r-1), float64(j)/float64(r-1)))
		}
	}
	return values
}

func TestSquareTrapezoidIsExactForBilinearIntegrands(t *testing.T) {
	f := sampled(9, func(x, y float64) float64 { return 1 + 2*x })
	g := sampled(9, func(x, y float64) float64 { return 3 - y })
	if got := Square.Inner(f, g); math.Abs(got-5) > 1e-14 { // rounding of 81 terms
		t.Errorf("integral of (1+2x)(3-y) is %.17g, want 5", got)
	}
}

func TestSquareTrapezoidHasOrderTwo(t *testing.T) {
	failing := func(r int) float64 { // integral of exp(x) exp(2y)
		f, g := sampled(r, func(x, _ float64) float64 { return math.Exp(x) }),
			sampled(r, func(_, y float64) float64 { return math.Exp(2 * y) })
		return math.Abs(Square.Inner(f, g) - (math.E-1)*(math.Exp(2)-1)/2)
	}
	if order := math.Log2(failing(33) / failing(65)); math.Abs(order-2) > 0.01 {
		t.Errorf("order %g", order)
	}
}

func TestSquareDistanceIsInnerOfDifference(t *testing.T) {
	f, g := sampled(7, func(x, y float64) float64 { return x * y }),
		sampled(7, func(x, y float64) float64 { return math.Exp(y - x) })
	d := make([]float64, len(f))
	for i := range d {
		d[i] = f[i] - g[i]
	}
	if got, want := Square.Distance2(f, g), Square.Inner(d, d); math.Abs(got-want) > 1e-15*want {
		t.Errorf("got %g, want %g", got, want)
	}
}

func TestRestrictSquareTakesEverySthPointOfBothAxes(t *testing.T) {
	b := NewBatch(Square, 5, 2)
	for i := range b.Data {
		b.Data[i] = float64(i)
	}
	c, err := b.Restrict(3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 2, 4, 10, 12, 14, 20, 22, 24, 25, 27, 29, 35, 37, 39, 45, 47, 49} {
		if c.Data[i] != want {
			t.Fatalf("got %v", c.Data)
		}
	}
}

func TestSquareThatDoesNotDivideIsADataError(t *testing.T) {
	_, err := NewBatch(Torus, 81, 1).Restrict(4)
	var data *fault.Data
	if !errors.As(err, &data) {
		t.Errorf("%v is not a *fault.Data", err)
	}
}

func TestFieldsThatDoNotRepeatAreNotPeriodic(t *testing.T) {
	const r = 4
	for x := range r * r {
		b := NewBatch(Torus2, r, 2)
		b.At(1)[x] = 1
		inside := x/r > 0 && x/r < r-1 && x%r > 0 && x%r < r-1
		if err := b.CheckPeriodic("input", nil); (err == nil) != inside {
			t.Errorf("a single value at point %d: %v", x, err)
		}
	}
}
