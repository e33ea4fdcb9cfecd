package modes

import (
	"math"
	"testing"

	"rfm/solver/space/grid"
)

// byDefinition returns the weights of the values of a function on one axis in a shifted, smoothed one, as a dense matrix:
// a sum of cosines over the frequencies of the continuation.
func byDefinition(domain grid.Domain, points int, shift, width, unit float64) [][]float64 {
	source := continued(domain, points)
	n := len(source)
	matrix := make([][]float64, distinct(domain, points))
	for x := range matrix {
		matrix[x] = make([]float64, points)
		for d := range n {
			weight := 0.0
			for k := 0; 2*k <= n; k++ {
				w, times := 2*math.Pi*float64(k)/float64(n), 2.0
				if k == 0 || 2*k == n {
					times = 1
				}
				smoothing := math.Exp(-math.Pow(w*width*unit, 2) / 2)
				weight += times / float64(n) * math.Cos(w*(float64(d)+shift*unit)) * smoothing
			}
			matrix[x][source[(x-d+n)%n]] += weight
		}
	}
	return matrix
}

func TestShiftsAreThoseOfTheDefinition(t *testing.T) {
	all := []Shift{{}, {Across: 0.1, Width: 0.03}, {Across: -0.37, Width: 0.1}, {Across: 0.5, Width: 0.01},
		{Across: 0.013}, {Across: -0.013}, {Across: 1.2}, {Across: 0.01, Width: 0.5}, {Across: -0.2, Width: 0.02}}
	for _, domain := range grid.Domains() {
		points := 17
		if domain.Dims == 2 {
			points = 9
			for !domain.Exists(points) {
				points++
			}
		}
		rows, columns := domain.Axes(points)
		some := all
		if domain.Dims == 2 {
			some = nil
			for i, s := range all {
				s.Down = 0.3*s.Across - 0.01*float64(i)
				some = append(some, s)
			}
		}
		f := make([]float64, rows*columns)
		for x := range f {
			f[x] = math.Sin(float64(1 + x*x))
		}
		if domain.Periodic {
			domain.Wrap(f)
		}
		unit := float64(domain.Intervals(points))
		shifts := NewShifts(domain, points, some)
		seen := 0
		shifts.Apply(f, shifts.NewWork(), func(index int, values []float64) {
			if index != seen || len(values) != shifts.Points() {
				t.Fatalf("%s: map %d with %d values, want map %d with %d", domain.Name(), index, len(values), seen, shifts.Points())
			}
			seen++
			across := byDefinition(domain, columns, some[index].Across, some[index].Width, unit)
			down := [][]float64{{1}}
			if domain.Dims == 2 {
				down = byDefinition(domain, rows, some[index].Down, some[index].Width, unit)
			}
			for i := range down {
				for j := range across {
					want := 0.0
					for p, v := range down[i] {
						for q, w := range across[j] {
							want += v * w * f[p*columns+q]
						}
					}
					if got := values[i*len(across)+j]; math.Abs(got-want) > 1e-12 {
						t.Fatalf("%s, %+v at %d, %d: %g, want %g", domain.Name(), some[index], i, j, got, want)
					}
				}
			}
		})
		if seen != len(some) {
			t.Errorf("%s: %d maps of %d", domain.Name(), seen, len(some))
		}
	}
}

// The image of a function does not depend on what was mapped before, bit for bit.
func TestShiftsDoNotRememberFunctions(t *testing.T) {
	shifts := NewShifts(grid.Interval, 33, []Shift{{Across: 0.1, Width: 0.02}, {Across: -0.3, Width: 0.1}})
	f, g := make([]float64, 33), make([]float64, 33)
	for x := range f {
		f[x] = math.Sin(float64(x))
		g[x] = 1e6 * math.Cos(float64(x*x))
	}
	used := shifts.NewWork()
	shifts.Apply(g, used, func(int, []float64) {})
	var first, again []float64
	shifts.Apply(f, shifts.NewWork(), func(_ int, values []float64) { first = append(first, values...) })
	shifts.Apply(f, used, func(_ int, values []float64) { again = append(again, values...) })
	for x, v := range first {
		if again[x] != v {
			t.Fatalf("value %d is %g, and %g after another function", x, v, again[x])
		}
	}
}

// A shift of infinite width is the mean of a function, with the weights of its grid.
func TestInfiniteWidthIsTheMean(t *testing.T) {
	for _, domain := range grid.Domains() {
		points := 9
		for !domain.Exists(points) {
			points++
		}
		f := make([]float64, domain.Values(points))
		for x := range f {
			f[x] = math.Sin(float64(1 + x*x))
		}
		if domain.Periodic {
			domain.Wrap(f)
		}
		mean := 0.0
		for x, w := range domain.Weights(points) {
			mean += w * f[x]
		}
		s := NewShifts(domain, points, []Shift{{}, {Width: math.Inf(1)}})
		s.Apply(f, s.NewWork(), func(at int, values []float64) {
			if at == 0 {
				return
			}
			for _, v := range values {
				if math.Abs(v-mean) > 1e-13 {
					t.Fatalf("%s: %g, want the mean %g", domain.Name(), v, mean)
				}
			}
		})
	}
}
