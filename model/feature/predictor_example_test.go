package feature_test

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/solver/darcy"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Every coefficient 1 makes the model the mean feature, here of a constant permeability: then the second term of the
// corrector vanishes, and the mean feature is P[f/a + mean sigma(theta_2)].
func ExamplePredictorCorrector() {
	features := feature.PredictorCorrector{
		Threshold: feature.PaperThreshold(),
		Mollifier: feature.PaperMollifier(),
		Source:    darcy.Constant(1),
		Theta:     feature.DrawPairs(grf.Neumann{Tau: 7.5, Alpha: 2, Axis: grf.AxisComputed}, 1, 4, 33),
	}
	model, err := features.Collapse(context.Background(), []float64{1, 1, 1, 1}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range []int{9, 17, 33} { // one model, any grid
		u, err := model.Predict(context.Background(), nil, grid.BatchOf(grid.Square, r, darcy.Constant(3).On(r)), 1, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%2d x %2d points: %.3f in the middle\n", r, r, u.Data[r*r/2])
	}
	// Output:
	//  9 x  9 points: 0.013 in the middle
	// 17 x 17 points: 0.014 in the middle
	// 33 x 33 points: 0.014 in the middle
}
