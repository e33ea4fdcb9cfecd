// This file is about models of predictor-corrector random features: how they are stored and predict.

package feature

import (
	"context"
	"fmt"

	"rfm/solver/darcy"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
)

// collapsedModels are models, each with fields of its own.
type collapsedModels []Collapsed

func (m collapsedModels) Predict(ctx context.Context, inputs grid.Batch, workers int) ([]grid.Batch, error) {
	predictions := make([]grid.Batch, len(m))
	for q, model := range m {
		e, err := model.On(inputs.Points)
		if err != nil {
			return nil, err
		}
		if predictions[q], err = e.predict(ctx, inputs, workers, nil); err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// Predict is one of Evaluator.
func (e *PredictorEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	models := make([]*CollapsedEvaluator, len(coefficients))
	err := parallel.For(ctx, workers, len(models), func(_, q int) error {
		models[q] = e.Collapse(coefficients[q])
		return nil
	})
	if err != nil {
		return nil, err
	}
	predictions := make([]grid.Batch, len(models))
	for q, model := range models {
		if q == len(models)-1 { // inputs are finished with the last model
			predictions[q], err = model.predict(ctx, inputs, workers, progress)
		} else {
			predictions[q], err = model.predict(ctx, inputs, workers, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// predict evaluates the model for all inputs.
func (e *CollapsedEvaluator) predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return eachField(ctx, inputs, workers, progress, func() func(dst, a []float64) error {
		s := e.NewScratch()
		return func(dst, a []float64) error { return e.Predict(dst, a, s) }
	})
}

// All is Evaluate for all inputs. Errors are Evaluate's and ctx's.
func (e *Sweeps) All(ctx context.Context, sweeps int, inputs grid.Batch, workers int) (grid.Batch, error) {
	return eachField(ctx, inputs, workers, nil, func() func(dst, a []float64) error {
		s := e.NewScratch()
		return func(dst, a []float64) error { return e.Evaluate(dst, a, sweeps, s) }
	})
}

// eachField maps every input to an output; worker makes the map of one goroutine.
func eachField(ctx context.Context, inputs grid.Batch, workers int, progress func(added int),
	worker func() func(dst, a []float64) error) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	err := parallel.With(ctx, workers, inputs.Count, worker, func(apply func(dst, a []float64) error, i int) error {
		if err := apply(outputs.At(i), inputs.At(i)); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}

// Domain is the closed square.
func (c Collapsed) Domain() grid.Domain { return grid.Square }

// Channels is one of Trained.
func (c Collapsed) Channels() (in, out int) { return 1, 1 }

// Finest is the number of points, along an axis, of the fields' grid.
func (c Collapsed) Finest() int { return grid.Square.PointsOf(c.Sigma1) }

// Label is for people.
func (c Collapsed) Label() string { return "predictor-corrector features" }

// Predict is one of Trained. The coefficients are in the fields already.
func (c Collapsed) Predict(ctx context.Context, _ []float64, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	e, err := c.anywhere(inputs)
	if err != nil {
		return grid.Batch{}, err
	}
	return e.predict(ctx, inputs, workers, progress)
}

// anywhere prepares the model on the grid of inputs, any grid. The error is a *fault.Data.
func (c Collapsed) anywhere(inputs grid.Batch) (*CollapsedEvaluator, error) {
	if err := darcy.CheckPermeabilities("input", inputs); err != nil {
		return nil, err
	}
	for _, field := range []*[]float64{&c.Sigma1, &c.Sigma2} {
		b, err := resample.To(grid.BatchOf(grid.Square, grid.Square.PointsOf(*field), *field), inputs.Points)
		if err != nil {
			return nil, err
		}
		*field = b.Data
	}
	return c.On(inputs.Points)
}

// collapsedFile is the name of these models in files.
const collapsedFile = "flow"

// maxSweeps keeps damaged numbers from taking for ever; the iteration converges in tens of sweeps.
const maxSweeps = 1000

// collapsedScalars is what model files say of it beside arrays.
type collapsedScalars struct {
	Mean   float64 `json:"mean"`   // abar
	Source float64 `json:"source"` // f
	Eta    float64 `json:"eta"`
	Step   float64 `json:"step"`
	Steps  int     `json:"steps"`
	Sweeps int     `json:"sweeps"` // 0 is 1
}

// Check is one of Trained. The source must be constant.
func (c Collapsed) Check(int) error {
	if r, ok := grid.Square.Points(len(c.Sigma1)); !ok || r < 3 || len(c.Sigma2) != len(c.Sigma1) {
		return Unusable(fmt.Sprintf("has averaged fields of %d and %d values, want those of one square grid of at least 3 "+
			"x 3 points", len(c.Sigma1), len(c.Sigma2)))
	}
	source := c.Source.On(c.Finest())
	for _, v := range source {
		if v != source[0] {
			return Unusable("has a source that is not constant")
		}
	}
	if m := c.Mollifier; !grid.Finite(c.Mean, source[0], m.Eta, m.Step) || m.Eta < 0 || m.Step < 0 || m.Steps < 0 {
		return Unusable(fmt.Sprintf("has the mean coefficient %g, the source %g and the mollifier %+v, want finite "+
			"numbers, the mollifier's not negative", c.Mean, source[0], m))
	}
	if c.Sweeps < 0 || c.Sweeps > maxSweeps {
		return Unusable(fmt.Sprintf("has %d sweeps, want 0 to %d", c.Sweeps, maxSweeps))
	}
	return nil
}

// Encode is one of Trained.
func (c Collapsed) Encode() (string, any, []npy.Named) {
	r, m := c.Finest(), c.Mollifier
	return collapsedFile, collapsedScalars{Mean: c.Mean, Source: c.Source(0, 0), Eta: m.Eta, Step: m.Step, Steps: m.Steps,
			Sweeps: c.Sweeps},
		[]npy.Named{{Name: "sigma1", Array: npy.Array{Shape: []int{r, r}, Data: c.Sigma1}},
			{Name: "sigma2", Array: npy.Array{Shape: []int{r, r}, Data: c.Sigma2}}}
}

func decodeCollapsed(s Stored, _ int) (Trained, error) {
	var p collapsedScalars
	if err := s.Scalars(&p); err != nil {
		return nil, err
	}
	c := Collapsed{Mollifier: Mollifier{Eta: p.Eta, Step: p.Step, Steps: p.Steps}, Source: darcy.Constant(p.Source),
		Sweeps: p.Sweeps, Mean: p.Mean}
	for _, field := range []struct {
		name   string
		values *[]float64
	}{{"sigma1", &c.Sigma1}, {"sigma2", &c.Sigma2}} {
		a, err := s.Array(field.name, 2)
		if err != nil {
			return nil, err
		}
		if a.Shape[0] != a.Shape[1] {
			return nil, Unusable(fmt.Sprintf("has %q on %d x %d points, want a square grid", field.name, a.Shape[0], a.Shape[1]))
		}
		*field.values = a.Data
	}
	return c, nil
}

// NumPy is one of Trained.
func (c Collapsed) NumPy() (imports, program string) {
	return "from scipy.fft import dctn, idctn, dstn, idstn\n", collapsedProgram
}

const collapsedProgram = `n = a.shape[1] - 1
d = 2 - 2*np.cos(np.pi*np.arange(n + 1)/n)
d = d[:, None] + d
P = lambda f: np.pad(idstn(dstn(f, 1)/(n*n*d[1:-1, 1:-1]), 1), 1)
gradient = lambda f: n/2*np.stack([f[2:, 1:-1] - f[:-2, 1:-1], f[1:-1, 2:] - f[1:-1, :-2]])
c = p["step"]*p["eta"]*n*n
parts = np.ceil(8*c) if c > 0.25 else 1
s = (len(model["sigma1"]) - 1)//n
sigma1, sigma2 = model["sigma1"][::s, ::s][1:-1, 1:-1], model["sigma2"][::s, ::s][1:-1, 1:-1]
u = np.zeros_like(a)
for i in range(len(a)):
    smooth = idctn((1 - c/parts*d)**(p["steps"]*parts)*dctn(a[i], 1), 1)
    g, f = gradient(np.log(smooth)), p["mean"]*p["source"]/a[i, 1:-1, 1:-1]
    u[i] = P(f + sigma1)
    for sweep in range(max(1, p["sweeps"])):
        u[i] = P(f + sigma2 + (g*gradient(u[i])).sum(axis=0))
`
