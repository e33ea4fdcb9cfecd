package equation

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Products that make use of the parity of the modes equal those with the whole matrices. Modes between ends of
// different kinds have no parity.
func TestMirroredProductsAreTheWholeOnes(t *testing.T) {
	for _, c := range []struct {
		text, left, right string
		mirrored          bool
	}{
		{"u_t = u_xx - u*u_x", "u = 0", "u = 0", true},
		{"u_t = u_xx + 3*u*u_x", "u = 1", "u = 0", true},
		{"u_t = -u_xxxx + u*u_x", "u = 0; u_x = 0", "u = 0; u_x = 0", true},
		{"u_t = u_xx - u*u_x", "u = 0", "u_x = 0", false},
	} {
		p := newSpace(newSolver(between(c.text, c.left, c.right, "0", 1)), 25)
		b := p.fields[0].bases[0]
		for order := range b.at {
			toPoints := b.mirroredAt[order]
			fromPoints := b.mirroredFrom[order]
			if (toPoints != nil) != c.mirrored || (fromPoints != nil) != c.mirrored {
				t.Errorf("%s, %s | %s, order %d: mirrored is %v, want %v", c.text, c.left, c.right, order, toPoints != nil, c.mirrored)
			}
			if toPoints == nil || fromPoints == nil {
				continue
			}
			random := rand.New(rand.NewPCG(1, uint64(order)))
			coordinates := make([]float64, b.modes()*block)
			for i := range coordinates {
				coordinates[i] = random.NormFloat64()
			}
			values := make([]float64, b.n*block)
			wantValues := make([]float64, b.n*block)
			toPoints.setValues(values, coordinates)
			p.apply(wantValues, pair{b.at[order]}, coordinates)
			checkNear(t, c.text, values, wantValues)
			back := make([]float64, b.modes()*block)
			wantBack := make([]float64, b.modes()*block)
			fromPoints.addCoordinates(back, values)
			p.apply(wantBack, pair{b.from[order]}, values)
			checkNear(t, c.text, back, wantBack)
		}
	}
}

// checkNear fails if two blocks differ by more than rounding errors of their largest number.
func checkNear(t *testing.T, name string, got, want []float64) {
	t.Helper()
	largest := 0.0
	distance := 0.0
	for i, v := range want {
		largest = math.Max(largest, math.Abs(v))
		distance = math.Max(distance, math.Abs(got[i]-v))
	}
	if distance > 1e-12*largest {
		t.Errorf("%s: products differ by %.2g of %.2g", name, distance, largest)
	}
}
