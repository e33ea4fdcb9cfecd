package equation_test

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/solver/pde/equation"
	"rfm/solver/space/grid"
)

// The heat equation as text, solved for one initial value on the unit interval.
func Example() {
	c, err := config.PresetByName("equation")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := config.Assign(&c, "equation.text=u_t = nu*u_xx", "nu=0.01", "equation.time=1"); err != nil {
		fmt.Println(err)
		return
	}
	const points = 65
	operator := equation.Problem{Equation: c.Equation, Input: c.Input, Points: points}.Operator()
	initial := grid.NewBatch(operator.Domain, points, 1)
	for x := range points {
		initial.At(0)[x] = math.Sin(2 * math.Pi * float64(x) / (points - 1))
	}
	later := initial.Like(1)
	err = operator.NewWorker().Solve(context.Background(), []grid.Batch{later}, initial, operator.Times, "a sine")
	if err != nil {
		fmt.Println(err)
		return
	}
	exact := math.Exp(-4 * math.Pi * math.Pi * 0.01)
	fmt.Printf("%.4f at its crest, exactly %.4f\n", later.At(0)[16], exact)
	// Output:
	// 0.6738 at its crest, exactly 0.6738
}
