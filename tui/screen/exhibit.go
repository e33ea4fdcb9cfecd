// This file is what the screens show as data, for files and the clipboard.

package screen

import (
	"fmt"
	"slices"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/plot"
)

// exhibit is the training pair on show.
func (g *generate) exhibit(s *session) study.Result {
	r := study.Result{Study: "pair"}
	if s.reached < generating {
		return r
	}
	train, _ := s.experiment.Pairs()
	pair := min(g.pair, train.Count()-1)
	input, output := train.Inputs.At(pair), train.Outputs.At(pair)
	if train.Inputs.Domain.Dims == 2 {
		side := train.Inputs.Points
		r.Fields = []study.Field{{Title: "input a", R: side, Values: input}, {Title: "solution u", R: side, Values: output}}
		return r
	}
	x := unitPoints(train.Inputs.Points)
	r.Figures = []study.Figure{{Title: fmt.Sprintf("training pair %d", pair+1), XLabel: "x", YLabel: "a, u", Curves: []study.Curve{{Name: "input a", X: x, Y: input}, {Name: "solution u", X: x, Y: output}}}}
	return r
}

// exhibit is the eigenvalues, the coefficients and the validation error, as far as they are known.
func (t *train) exhibit(s *session) study.Result {
	r := study.Result{Study: "training"}
	if s.reached >= training {
		if values := s.experiment.Solution().Eigenvalues; len(values) > 0 {
			r.Figures = append(r.Figures, study.Figure{Title: "eigenvalues of G", XLabel: "j", LogX: true, LogY: true, Curves: []study.Curve{{Name: "eigenvalues", X: counting(len(values)), Y: values}}})
		}
		c := coefficients{}
		r.Tables, r.Figures = []study.Table{c.table(s)}, append(r.Figures, c.figure(s))
	}
	curve := study.Curve{Name: "validation error"}
	for _, v := range s.progress(training).Validation {
		curve.X, curve.Y = append(curve.X, float64(v.Samples)), append(curve.Y, v.Error)
	}
	if curve.X != nil {
		r.Figures = append(r.Figures, study.Figure{Title: "validation error", XLabel: "n", LogX: true, LogY: true, Curves: []study.Curve{curve}})
	}
	return r
}

// counting is 1, 2, ..., n.
func counting(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

// errorTable is the error table of the evaluation, with the published value if there is one.
func errorTable(s *session) study.Table {
	e := s.experiment.Evaluation()
	t := study.Table{Header: []string{"relative L2 error", "train", "test"}}
	for _, r := range e.Rows() {
		t.Rows = append(t.Rows, []string{r.Name, fmt.Sprintf("%.6f", r.Train), fmt.Sprintf("%.6f", r.Test)})
	}
	if p, ok := engine.Published(s.experiment.Config); ok {
		t.Rows = append(t.Rows, []string{"paper, one draw, " + p.Source, "", fmt.Sprintf("%.6g", p.Value)})
	}
	return t
}

// unitPoints are K equispaced points from 0 to 1.
func unitPoints(K int) []float64 {
	x := make([]float64, K)
	for i := range x {
		x[i] = float64(i) / float64(K-1)
	}
	return x
}

// sampleFigures are the functions of a test sample, or the cut through its fields at x2 = cut h.
func sampleFigures(e *engine.Evaluation, sample, cut int) []study.Figure {
	input, truth, prediction := e.TestPairs.Inputs.At(sample), e.TestPairs.Outputs.At(sample), e.Predictions.At(sample)
	f := study.Figure{Title: fmt.Sprintf("test sample %d, error %.4g", sample, e.Test.Relative[sample]), XLabel: "x", YLabel: "u"}
	if e.Side == 0 {
		x := unitPoints(len(truth))
		f.Curves = []study.Curve{{Name: "a", X: x, Y: input}, {Name: "truth", X: x, Y: truth}, {Name: "prediction", X: x, Y: prediction}}
		return []study.Figure{f}
	}
	x := unitPoints(e.Side)
	f.Title += fmt.Sprintf(", cut at x2 = %.3g", float64(cut)/float64(e.Side-1))
	f.XLabel = "x1"
	f.Curves = []study.Curve{{Name: "truth", X: x, Y: plot.Cut(truth, e.Side, cut, plot.AlongX1)}, {Name: "prediction", X: x, Y: plot.Cut(prediction, e.Side, cut, plot.AlongX1)}}
	return []study.Figure{f}
}

// sampleFields are the fields of a test sample; none of functions of one variable.
func sampleFields(e *engine.Evaluation, sample int) []study.Field {
	if e.Side == 0 {
		return nil
	}
	f := fieldsOf(e, sample)
	return []study.Field{{Title: "permeability a", R: f.Side, Values: f.Input}, {Title: "truth u", R: f.Side, Values: f.Truth},
		{Title: "prediction F(a)", R: f.Side, Values: f.Prediction}, {Title: "error u - F(a)", R: f.Side, Values: f.Difference(), Signed: true}}
}

// rankedErrors are the errors of all samples in ascending order, against the share of samples that are not worse.
func rankedErrors(e *engine.Evaluation) study.Figure {
	curve := func(name string, ascending []float64) study.Curve {
		x := make([]float64, len(ascending))
		for i := range x {
			x[i] = float64(i+1) / float64(len(x))
		}
		return study.Curve{Name: name, X: x, Y: slices.Clone(ascending)}
	}
	return study.Figure{Title: "errors in ascending order", XLabel: "share of samples", YLabel: "relative L2 error", LogY: true,
		Curves: []study.Curve{curve("train", e.Train.Ascending), curve("test", e.Test.Ascending)}}
}
