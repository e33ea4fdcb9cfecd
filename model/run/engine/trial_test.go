package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// trialOf returns the trial of a run of a small configuration.
func trialOf(t *testing.T, preset string, settings ...string) (*Trial, *Experiment) {
	t.Helper()
	c, err := config.PresetByName(preset)
	noError(t, err)
	c.Evaluation = config.Evaluation{}
	noError(t, config.Assign(&c, settings...))
	e, err := New(t.Context(), c, Options{Workers: 2})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	trial, err := e.Trial(t.Context(), e.Evaluation())
	noError(t, err)
	return trial, e
}

// briefBurgers are the settings of a run of a fraction of a second.
var briefBurgers = []string{"data.train=64", "data.test=16", "data.grid=257", "train.grid=65", "features.count=64",
	"tolerance=1e-6"}

// A test input has the prediction, the deviation, the error and nearly the solution that the evaluation has for it.
func TestTrialsAnswerAsTheEvaluationDoes(t *testing.T) {
	trial, e := trialOf(t, "quick", briefBurgers...)
	v := e.Evaluation()
	for i := range 3 {
		input := v.TestPairs.Inputs.At(i)
		answer, err := trial.Predict(t.Context(), input)
		noError(t, err)
		if !slices.Equal(answer.Prediction, v.Predictions.At(i)) {
			t.Errorf("input %d: another prediction", i)
		}
		if answer.Deviation != v.Unlike.found.Deviations[i] || answer.Limit != v.Unlike.Limit || !answer.Known {
			t.Errorf("input %d: deviation %g, want %g", i, answer.Deviation, v.Unlike.found.Deviations[i])
		}
		solution, err := trial.Solve(t.Context(), input)
		noError(t, err)
		if got := trial.Distance(solution, v.TestPairs.Outputs.At(i)); got > 1e-3 {
			t.Errorf("input %d: the solution is %g from the true output", i, got)
		}
		if got := trial.Distance(answer.Prediction, v.TestPairs.Outputs.At(i)); math.Abs(got-v.Test.Relative[i]) > 1e-12 {
			t.Errorf("input %d: error %g, want %g", i, got, v.Test.Relative[i])
		}
	}
	if got := trial.Distance(trial.Draw(0), make([]float64, 65)); !math.IsInf(got, 1) {
		t.Errorf("the distance from zero is %g", got)
	}
}

// Drawn inputs follow the distribution of the training but are in no pair, and each index has its own.
func TestTrialsDrawNewInputs(t *testing.T) {
	trial, e := trialOf(t, "quick", briefBurgers...)
	first := trial.Draw(0)
	if slices.Equal(first, trial.Draw(1)) || !slices.Equal(first, trial.Draw(0)) {
		t.Error("draws are not numbered")
	}
	train, err := e.train.Inputs.Restrict(trial.Points)
	noError(t, err)
	for i := range train.Count {
		if grid.Torus.Distance2(first, train.At(i)) < 1e-6 {
			t.Errorf("it is training input %d", i)
		}
	}
	if answer, err := trial.Predict(t.Context(), first); err != nil || answer.Likeness() != Like {
		t.Errorf("a draw is of likeness %d, %v", answer.Likeness(), err)
	}
}

// An input that is ten times as large is far outside, and the grades follow the deviation.
func TestLikenessFollowsTheDeviation(t *testing.T) {
	for deviation, want := range map[float64]Likeness{0.1: Like, 0.5: Like, 0.6: Unusual, 0.75: Unusual, 0.8: Outside} {
		if got := (Answer{Known: true, Deviation: deviation, Limit: 0.5}).Likeness(); got != want {
			t.Errorf("deviation %g of the limit 0.5: %d, want %d", deviation, got, want)
		}
	}
	if got := (Answer{Deviation: 0.1, Limit: 0.5}).Likeness(); got != Unknown {
		t.Errorf("without training inputs: %d", got)
	}
}

// What all training inputs have in common at the ends is known: values that are held there, and slopes that are zero.
func TestLawsHaveConditionsAtTheEnds(t *testing.T) {
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "equation.text=u_t = nu*u_xx - u*u_x", "equation.left=u = 0", "equation.right=u_x = 0"))
	trial, err := Untrained(c)
	noError(t, err)
	if law := trial.Law; !law.Left.Held || law.Left.Value != 0 || !law.Right.Flat || law.Right.Held || law.Left.Flat {
		t.Errorf("left %+v, right %+v", law.Left, law.Right)
	}
	solution, err := trial.Solve(t.Context(), trial.Draw(0))
	noError(t, err)
	if math.Abs(solution[0]) > 1e-6 {
		t.Errorf("the solution is %g at the left end", solution[0])
	}
	if trial.Predicts() || !trial.Solves() {
		t.Error("there is a model without training, or no solver")
	}
}

// Fields that jump keep their two values on the solver's grid, and the solution is that of the data.
func TestTrialsOfFieldsThatJump(t *testing.T) {
	trial, e := trialOf(t, "darcy-quick", "data.train=8", "data.test=4", "data.grid=65", "train.grid=33", "features.count=16")
	if levels := trial.Law.Levels; !slices.Equal(levels, []float64{3, 12}) || trial.Side != 33 {
		t.Errorf("levels %g, side %d", levels, trial.Side)
	}
	v := e.Evaluation()
	fine := nearest(v.TestPairs.Inputs.Range(0, 1), 65)
	for _, a := range fine.Data {
		if a != 3 && a != 12 {
			t.Fatalf("a value of %g between the levels", a)
		}
	}
	solution, err := trial.Solve(t.Context(), v.TestPairs.Inputs.At(0))
	noError(t, err)
	if got := trial.Distance(solution, v.TestPairs.Outputs.At(0)); got > 0.1 {
		t.Errorf("the solution is %g from that of the finer field", got)
	}
}

// A solution that the coarse grid does not resolve is computed on that of the data.
func TestTrialsUseTheFineGridWhereTheyMust(t *testing.T) {
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "equation.text=u_t = 0.003*u_xx - u*u_x", "data.grid=1025", "train.grid=129"))
	trial, err := Untrained(c)
	noError(t, err)
	input := trial.Draw(0)
	for i := range input {
		input[i] *= 3
	}
	if _, err := trial.Solve(t.Context(), input); err != nil {
		t.Fatal(err)
	}
	if !trial.failed.Load() {
		t.Error("the coarse grid resolves a steep front")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := trial.Solve(ctx, input); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled solution ends with %v", err)
	}
}

// Without a solver there is nothing to draw before a model exists, and the error says how to get one.
func TestTrialsNeedAModelOrASolver(t *testing.T) {
	c, err := config.PresetByName(config.Functions)
	noError(t, err)
	noError(t, config.Assign(&c, "data.train_file=pairs.npz", "data.train=8", "data.test=2", "data.grid=33", "train.grid=33"))
	_, err = Untrained(c)
	if bad, ok := errors.AsType[*fault.Data](err); !ok || bad.Do == "" {
		t.Errorf("the error is %v", err)
	}
}
