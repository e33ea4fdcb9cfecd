package results

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// predicted is the tab of predictions for the inputs in a file, as `rfm predict` makes them.
type predicted struct {
	*selection
	dialogs *ui.Dialogs
	of      *engine.Evaluation // of the model that has predicted
	did     *interchange.Predicted
	at      page.Rank // number of the prediction shown
}

// predictedTab is the name of the tab.
const predictedTab = "predicted"

// exists reports whether this model has predicted for a file.
func (v *predicted) exists() bool {
	return v.did != nil && v.of == v.selection.of
}

// asking returns the command that asks for a file of inputs. It calls shown once there are predictions.
func (v *predicted) asking(shown func()) ui.Command {
	return ui.Command{
		Key:  ui.KeyLoad,
		Word: "predict",
		Help: "predict for the inputs in a file",
		Why:  v.whyNot,
		Do:   func() tea.Cmd { return v.ask(shown) },
	}
}

// whyNot says why nothing can be predicted for a file; empty if it can.
func (v *predicted) whyNot() string {
	switch {
	case v.selection.of == nil:
		return "there is no model yet"
	case v.runner.Stored() == "":
		return "the model is not stored, so it cannot predict for a file"
	}
	return ""
}

// ask opens the dialog for the name of the file.
func (v *predicted) ask(shown func()) tea.Cmd {
	run := v.runner.Stored()
	workers := v.runner.Workers()
	of := v.selection.of
	try := func(ctx context.Context, name string, _ bool) (func() tea.Cmd, error) {
		did, err := predictFor(ctx, run, name, workers)
		accept := func() {
			v.did = &did
			v.of = of
			v.at = 0
			v.session.Say("wrote " + printable.Line(did.Out))
			shown()
		}
		return ui.Now(accept), err
	}
	line := ui.Line{
		Title: "predict for the inputs in a file",
		Verb:  "predict",
		Files: true,
		Opens: true,
		Try:   try,
	}
	return line.Ask(v.dialogs, "")
}

// predictFor applies the model of a run to the inputs in a file, and writes the predictions beside those before, whose
// files stay.
func predictFor(ctx context.Context, run, name string, workers int) (interchange.Predicted, error) {
	model, err := interchange.FindModel(ctx, "", run)
	if err != nil {
		return interchange.Predicted{}, err
	}
	const level = 0.9
	return interchange.Predict(ctx, model, interchange.Prediction{
		In:       name,
		Out:      freeName(name),
		Endpoint: config.AutoPoints,
		Layout:   config.AutoLayout,
		Workers:  workers,
		Level:    level,
		Keep:     true,
	})
}

// freeName returns the name of a file for predictions in the working directory that does not exist: NAME-predicted.npy, or
// one with a number.
func freeName(inputs string) string {
	base := interchange.PredictedStem(inputs)
	name := base + ".npy"
	for number := 2; ; number++ {
		if _, err := os.Lstat(name); os.IsNotExist(err) {
			return name
		}
		name = fmt.Sprintf("%s-%d.npy", base, number)
	}
}

// commands returns the keys that choose a prediction.
func (v *predicted) commands() []ui.Command {
	last := func() page.Rank { return page.Rank(v.did.Kept()) - 1 }
	to := func(key ui.Key, word, help string, at func() page.Rank) ui.Command {
		return ui.Command{
			Key:  key,
			Word: word,
			Help: help,
			If:   func() bool { return v.did != nil && v.did.Kept() > 0 },
			Do:   ui.Now(func() { v.at = min(max(at(), 0), last()) }),
		}
	}
	before := func() page.Rank { return v.at - 1 }
	next := func() page.Rank { return v.at + 1 }
	first := func() page.Rank { return 0 }
	return []ui.Command{
		to(ui.KeyLeft, "input", "the input before", before),
		to(ui.KeyRight, "input", "the next input", next),
		to(ui.KeyFirst, "first", "the first input", first),
		to(ui.KeyLast, "last", "the last input that is shown", last),
	}
}

func (v *predicted) state() []any {
	return []any{v.did, v.at}
}

// page returns an input with its prediction, and what was written.
func (v *predicted) page(ui.Canvas) report.Page {
	d := v.did
	count := printable.Several(d.Count, "prediction")
	inputs := printable.Line(filepath.Base(d.In))
	const heading = "%s of %s on %s=%d, in %s"
	p := report.Page{
		Name:    predictedTab,
		Heading: fmt.Sprintf(heading, count, inputs, d.Domain.Symbol(), d.Grid, printable.Line(d.Out)),
	}
	if len(d.Unlike) > 0 {
		const format = "%d of %s are unlike the training inputs, where nobody knows the error: %s."
		all := printable.Several(d.Count, "input")
		p.Notes = append(p.Notes, fmt.Sprintf(format, len(d.Unlike), all, d.UnlikeNumbers()))
	}
	p.Notes = append(p.Notes, d.Notes...)
	if d.NotCompared != "" {
		p.Notes = append(p.Notes, "The outputs in the file are not compared: "+printable.Line(d.NotCompared))
	}
	if d.Compared != nil {
		number, meaning := d.Compared.Sentence(d.In)
		p.Heading += "\n" + number + "  " + meaning
		p.Notes = append(p.Notes, d.Compared.Notes()...)
	}
	if d.Kept() < d.Count {
		p.Notes = append(p.Notes, fmt.Sprintf("The first %d are shown; all are in the file.", d.Kept()))
	}
	if d.Kept() == 0 {
		return p
	}
	place := fmt.Sprintf("input %d", v.at)
	if d.Compared != nil {
		place += ", " + d.Compared.Line(int(v.at))
	}
	unlike := d.UnlikeLine(int(v.at))
	if unlike != "" {
		place += ": " + unlike
	}
	p.Heading += "\n" + place
	jumps := v.runner.Computed().Of().Jumps
	p.Figures, p.Fields = d.Shown(int(v.at), jumps)
	return p
}
