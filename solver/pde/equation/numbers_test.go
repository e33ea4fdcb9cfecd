package equation

import (
	"errors"
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// withNumber returns a problem on the interval with random inputs.
func withNumber(e config.Equation) Problem {
	if e.Length == 0 {
		e.Length = 1
	}
	e.Dims = max(1, e.Dims)
	e.Steps = 1
	if e.Tolerance == 0 {
		e.Tolerance = 1e-8
	}
	return Problem{Equation: e, Input: config.Field{Tau: 7, Alpha: 5, Scale: 3}, Points: 65, Seed: 1}
}

// Each pair is the solution with its own number, on the torus, between sides by both schemes, and steady.
func TestPairsHaveTheirOwnNumbers(t *testing.T) {
	for name, e := range map[string]config.Equation{
		"periodic": {Text: "u_t = nu*u_xx - u*u_x", Parameters: "nu = random in [0.02, 0.1]", Time: 0.5},
		"fold":     {Text: "u_t = nu*u_xx - u*u_x", Parameters: "nu = random in [0.05, 0.2]", Time: 0.2, Left: "u = 0", Right: "u = 0"},
		"ends":     {Text: "u_t = u_xx", Parameters: "b = log random in [0.1, 2]", Time: 0.2, Left: "u = b", Right: "u_x + b*u = 0"},
		"steady":   {Text: "0 = u_xx - k*u + a", Parameters: "k = random in [1, 9]", Left: "u = 0", Right: "u = 1"},
		"two":      {Text: "u_t = d*u_xx - c*u_x", Parameters: "d = random in [0.01, 0.1]; c = random in [-1, 1]", Time: 0.5},
		"no input": {Text: "u_t = d*u_xx", Parameters: "d = random in [0.01, 0.1]", Time: 0.5, Initial: "sin(2*pi*x)"},
	} {
		p := withNumber(e)
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o := p.Operator()
		inputs, outputs, err := truth.Generate(t.Context(), o, truth.Wanted{Purpose: draw.InputTrain, Count: 3}, 2, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		last := outputs[len(outputs)-1]
		for i := range inputs.Count {
			function, numbers, err := p.split(inputs, i, "")
			if err != nil {
				t.Fatal(err)
			}
			alone := p
			alone.Equation = p.With(numbers)
			worker := newSolver(alone).newAnyWorker(new(resolution))
			want := grid.NewBatch(o.Domain, p.Points, 1)
			if err := worker.Solve(t.Context(), []grid.Batch{want}, function, []float64{p.Time}, ""); err != nil {
				t.Fatal(err)
			}
			distance := 0.0
			for x, v := range want.Data {
				distance = max(distance, math.Abs(v-last.At(i)[x]))
			}
			if distance > 1e-6 {
				t.Errorf("%s: pair %d with %v differs by %g from the solution with that number", name, i, numbers, distance)
			}
			for k, drawn := range p.Numbers() {
				if numbers[k] < drawn.Low || numbers[k] > drawn.High {
					t.Errorf("%s: got %s = %g, want it in [%g, %g]", name, drawn.Name, numbers[k], drawn.Low, drawn.High)
				}
			}
		}
		if a, b := inputs.At(0), inputs.At(1); a[len(a)-1] == b[len(b)-1] {
			t.Errorf("%s: two pairs have the number %g", name, a[len(a)-1])
		}
	}
}

// The exact solution of the heat equation with its own conductivity.
func TestNumbersAgreeWithTheExactSolution(t *testing.T) {
	p := withNumber(config.Equation{Text: "u_t = d*u_xx", Parameters: "d = random in [0.01, 0.1]", Time: 0.5, Initial: "sin(2*pi*x)"})
	inputs, outputs, err := truth.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: draw.InputTest, Count: 4}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range inputs.Count {
		decay := math.Exp(-4 * math.Pi * math.Pi * inputs.At(i)[0] * p.Time)
		if got := outputs[0].At(i)[16]; math.Abs(got-decay) > 1e-12 {
			t.Errorf("with d = %g a quarter wave is %.15g, want %.15g", inputs.At(i)[0], got, decay)
		}
	}
}

func TestNumbersDependOnNothingElse(t *testing.T) {
	p := withNumber(config.Equation{Text: "u_t = nu*u_xx - u*u_x", Parameters: "nu = random in [0.02, 0.1]", Time: 0.2})
	pairs := func(first, count, workers int) (grid.Batch, grid.Batch) {
		t.Helper()
		a, u, err := truth.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: draw.InputTrain, First: first, Count: count}, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a, u[0]
	}
	a, u := pairs(0, 6, 1)
	b, v := pairs(2, 4, 2)
	for i := range 4 {
		for x := range b.At(i) {
			if a.At(i + 2)[x] != b.At(i)[x] {
				t.Fatalf("input %d differs at %d", i+2, x)
			}
		}
		for x := range v.At(i) {
			if u.At(i + 2)[x] != v.At(i)[x] {
				t.Fatalf("output %d differs at %d", i+2, x)
			}
		}
	}
}

// An equation must be well-posed at both ends of the range, and inputs must hold a number beside the function.
func TestNumbersAreChecked(t *testing.T) {
	p := withNumber(config.Equation{Text: "u_t = nu*u_xx", Parameters: "nu = random in [-0.1, 1]", Time: 1})
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "ill-posed") {
		t.Errorf("negative diffusion: %v", err)
	}
	p = withNumber(config.Equation{Text: "u_t = nu*u_xx", Parameters: "nu = random in [0.1, 1]", Time: 0.1})
	o := p.Operator()
	inputs := grid.NewBatch(o.Inputs(), p.Points, 1)
	for x := range inputs.Of(0, 1) {
		inputs.Of(0, 1)[x] = 1 + float64(x)
	}
	functions := grid.NewBatch(o.Domain, p.Points, 1)
	if err := o.Check("file", functions); err == nil || !strings.Contains(err.Error(), "has 1 channel, want 2") {
		t.Errorf("functions without numbers: %v", err)
	}
	err := o.NewWorker().Solve(t.Context(), []grid.Batch{grid.NewBatch(o.Domain, p.Points, 1)}, inputs, []float64{0.1}, "pair 0")
	if data, ok := errors.AsType[*fault.Data](err); !ok || !strings.Contains(data.What, "a channel of nu that is not a number") {
		t.Errorf("a function in place of a number: %v", err)
	}
}
