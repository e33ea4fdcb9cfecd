package results

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// selection is a position among the test samples in the order of their errors. The tabs share it.
type selection struct {
	session *session.Session
	runner  *session.Runner
	from    *engine.Experiment // of the evaluation
	of      *engine.Evaluation // evaluation of the ranking; nil before the first
	ranking []int              // test samples by ascending error
	rank    page.Rank          // position in ranking
}

// take takes over an evaluation, or nil. It selects the median sample of another experiment.
func (c *selection) take(e *engine.Evaluation) {
	c.of = e
	if e == nil {
		return
	}
	c.ranking = e.Test.Ranking() // by ascending error
	now := c.runner.Experiment()
	if c.from != now {
		c.from = now
		c.rank = page.Median(len(c.ranking))
	}
}

// sample returns the index of the chosen sample among the test pairs.
func (c *selection) sample() int { return c.ranking[c.rank] }

// state returns the values that the pages depend on.
func (c *selection) state() []any {
	return []any{c.of, c.rank, c.runner.Stored()}
}

// browsing returns the keys that choose a sample.
func (c *selection) browsing() []ui.Command {
	return c.rank.Commands(func() int { return len(c.ranking) })
}

// place describes the position of a sample in the ranking.
func (c *selection) place(rank page.Rank) string {
	n := len(c.ranking)
	switch rank {
	case 0:
		return fmt.Sprintf("best of %d", n)
	case page.Rank(n) - 1:
		return fmt.Sprintf("worst of %d", n)
	case page.Median(n):
		return fmt.Sprintf("median of %d", n)
	}
	return fmt.Sprintf("%d of %d", rank+1, n)
}

// heading names the sample, its error and its place.
func (c *selection) heading() string {
	i := c.sample()
	place := c.place(c.rank)
	text := fmt.Sprintf("sample %d  error %s  %s", i, c.errorOf(i), place)
	unlike := c.of.UnlikeLine(i)
	if unlike != "" {
		text += "  " + unlike
	}
	return text
}

// errorOf returns the relative error of a test sample as text.
func (c *selection) errorOf(i int) string {
	const digits = 4
	return report.Error(c.of.Test.Relative[i], digits)
}

// roomForRemarks is the width from which the whole table of methods stands next to maps.
const roomForRemarks = 160

// sideBySide is the width from which the best, the chosen and the worst sample of functions stand side by side.
const sideBySide = 112

// samplePage returns the chosen sample next to its prediction, with the errors of all.
func (c *selection) samplePage(room ui.Canvas) report.Page {
	p := report.Page{
		Name:    "sample",
		Heading: c.sentence(room) + "\n" + c.heading(),
		Notes:   c.advice(),
		Tables:  c.methods(room),
	}
	isNarrow := room.Width < sideBySide
	isMap := c.of.Side > 0
	if isNarrow || isMap || c.channels() > 1 {
		p.Figures, p.Fields = c.describe(room, c.of, c.sample())
		return p
	}
	p.Figures = c.three(room)
	if report.OnOneScale(p.Figures) {
		p.Notes = append(p.Notes, "The input a, of another scale, is left out of the pictures.")
	}
	return p
}

// sentence returns the test error, what it was before and what was changed, and what it means: in two lines where one is
// too narrow, or without the measure where there is no line to spare.
func (c *selection) sentence(room ui.Canvas) string {
	const (
		margin = 2
		roomy  = 18 // lines
	)
	width := room.Width
	number, meaning := words.Sentence(c.of)
	now, before := c.runner.Tested()
	if now > 0 && before > 0 {
		tries := c.runner.Tries()
		last := len(tries) - 1
		own := tries[last]
		other := tries[last-1]
		number += ", " + words.Change(c.of, before, own.IsTestedLike(other))
		number += ": " + config.Differences(own.Config, other.Config)
		number = layout.Cut(strings.TrimSuffix(number, ": "), width-margin)
	}
	line := number + "  " + meaning
	measure, spread, _ := strings.Cut(meaning, "; ")
	switch {
	case lipgloss.Width(line) <= width-margin:
		return line
	case room.Height < roomy:
		return number + "  " + spread
	}
	return number + "\n" + spread + "  " + measure
}

// methods returns the table of methods, if there are several: without its remarks where these would take the room of the
// pictures.
func (c *selection) methods(room ui.Canvas) []report.Table {
	needed := sideBySide
	if c.of.Side > 0 {
		needed = max(sideBySide, roomForRemarks)
	}
	table := words.Methods(c.runner.Experiment(), c.of)
	if room.Width < needed {
		table = words.Brief(table)
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return []report.Table{table}
}

// three returns the best, the chosen and the worst sample of functions, each once; the median if one of the ends is chosen.
func (c *selection) three(room ui.Canvas) []report.Figure {
	last := page.Rank(len(c.ranking)) - 1
	middle := c.rank
	if middle == 0 || middle == last {
		middle = page.Median(len(c.ranking))
	}
	ranks := slices.Compact([]page.Rank{0, middle, last})
	var all []report.Figure
	for _, rank := range ranks {
		i := c.ranking[rank]
		figures, _ := c.describe(room, c.of, i)
		figures[0].Title = c.place(rank) + ": " + c.errorOf(i)
		all = append(all, figures...)
	}
	return all
}

// channels returns the number of pairs of channels of a sample.
func (c *selection) channels() int {
	pairs := c.of.TestPairs
	return max(pairs.Inputs.Domain.Width(), pairs.Outputs.Domain.Width())
}

// describe returns all channels of a sample: functions above their error, or fields with a cut in the middle. Where inputs
// and outputs have different numbers of channels, the fewer ones are repeated.
func (c *selection) describe(room ui.Canvas, e *engine.Evaluation, i int) ([]report.Figure, []report.Field) {
	problem := c.runner.Computed().Of()
	pairs := e.TestPairs
	in := pairs.Inputs.Domain.Width()
	out := pairs.Outputs.Domain.Width()
	most := max(in, out)
	var figures []report.Figure
	var fields []report.Field
	for channel := range most {
		sample := e.Sample(problem, i, channel)
		sample.Name = cmp.Or(problem.Input, "input a")
		sample.Band = e.Band(i, 0.9)
		above, maps := sample.Pictures()
		if len(maps) == 0 {
			above[0].Title = report.Channels(channel, in, out)
		}
		figures = append(figures, above...)
		fields = append(fields, maps...)
	}
	return figures, fields
}

// errorsPage returns the distribution of the errors of all test samples.
func (c *selection) errorsPage(ui.Canvas) report.Page {
	all := report.Distribution("all samples", c.of.Test.Ascending)
	all.Role = report.AsError
	i := c.sample()
	count := float64(len(c.ranking))
	share := float64(c.rank+1) / count // of the samples with an error up to this one
	own := report.Curve{
		Name:   fmt.Sprintf("sample %d", i),
		Role:   report.AsPrediction,
		Points: true,
		X:      []float64{share},
		Y:      []float64{c.of.Test.Relative[i]},
	}
	return report.Page{
		Name:    "errors",
		Heading: c.heading(),
		Tables:  c.tables(),
		Notes:   c.facts(),
		Figures: []report.Figure{report.Distributions(all, own)},
	}
}

// advice returns what the comparison with other methods says.
func (c *selection) advice() []string {
	var notes []string
	if c.of.Choice != "" {
		model := c.runner.Experiment().ModelTitle()
		notes = append(notes, fmt.Sprintf("The model is %s, chosen by cross-validation.", model))
	}
	for _, text := range c.of.Brief() {
		text = strings.ReplaceAll(text, "--set ", "") // there are rows here, and no flags
		if strings.HasPrefix(text, engine.Unsuited) {
			text = fmt.Sprintf("%s; %s tries all methods.", engine.Unsuited, ui.KeyTake)
		}
		notes = append(notes, text)
	}
	isComplete := c.runner.Reached() >= session.Evaluate
	if !isComplete {
		return notes
	}
	payoff := c.runner.Experiment().Summary().Payoff
	return append(notes, words.Payoff(payoff)...)
}

// use returns the command that predicts with the model; empty if it is not stored.
func (c *selection) use() string {
	stored := c.runner.Stored()
	isUseless := c.of.Skill.Verdict() != ""
	if stored == "" || isUseless {
		return ""
	}
	config := c.runner.Experiment().Config
	return words.Use(stored, config)
}

// copying returns the command that copies the command for predictions.
func (c *selection) copying() ui.Command {
	copies := func() tea.Cmd {
		text := c.use()
		c.session.Say("copied: " + text)
		return tea.SetClipboard(text)
	}
	command := ui.Command{
		Key:  ui.KeyCopy,
		Word: "copy",
		Help: "copy the command that predicts with this model",
		Do:   copies,
	}
	isUsable := func() bool { return c.of != nil && c.use() != "" }
	return command.When(isUsable, "there is no command for predictions")
}

// tables returns the errors, with the published value if there is one, and other solution methods.
func (c *selection) tables() []report.Table {
	e := c.runner.Experiment()
	t := e.ErrorTable(c.of)
	_, isPublished := engine.Published(e.Config)
	if isPublished {
		last := len(t.Rows) - 1
		t.Rows[last][0] = "paper, one draw" // the notes give the source
	}
	costs := words.CostTable(c.of, "error", "one core")
	if len(costs.Rows) == 0 {
		return []report.Table{t}
	}
	return []report.Table{t, costs}
}

// facts returns the notes: meaning of the marks, the grid, the directory of the run, the time taken.
func (c *selection) facts() []string {
	e := c.runner.Experiment()
	about := e.ModelTitle()
	if e.Model().Random() {
		about = e.Model().About()
	}
	notes := words.Star(c.of)
	verdict := c.of.Skill.Verdict()
	if verdict != "" {
		notes = append(notes, "The test error: "+verdict+".")
	}
	grid := words.Grid(e.Config, c.of.Grid)
	notes = append(notes, fmt.Sprintf("tested on %s, %s", grid, about))
	published, isPublished := engine.Published(e.Config)
	if isPublished {
		notes = append(notes, "paper: "+published.Source)
	}
	stored := c.runner.Stored()
	if stored != "" {
		directory, name := filepath.Split(stored)
		notes = append(notes, "stored in "+directory, "  "+name)
	}
	whole := report.Duration(e.Seconds().Total())
	took := "computed in " + whole
	choosing := e.Choosing()
	if choosing > 0 {
		part := report.Duration(choosing)
		took += ", " + part + " of it to choose the method"
	}
	return append(notes, took)
}

// cost compares the model with other solution methods: error against time, time of an evaluation and of training.
func (c *selection) cost(ui.Canvas) report.Page {
	experiment := c.runner.Experiment()
	p := report.Page{Name: "cost"}
	if len(c.of.Rows) == 0 {
		p.Notes = []string{"nothing was measured"}
		return p
	}
	p.Notes = slices.Concat(words.Star(c.of), c.of.Notes(), c.of.Times())
	payoff := experiment.Summary().Payoff
	if payoff != nil {
		spent := report.Duration(payoff.Spent)
		p.Notes = append(p.Notes, payoff.Sentences(spent)...)
	}
	figure := words.Cost(c.of)
	if len(figure.Curves) > 1 {
		p.Figures = []report.Figure{figure}
	}
	table := words.CostTable(c.of, "error", "one core", "training")
	table.Header[0] = "on " + words.Grid(experiment.Config, c.of.Grid)
	p.Tables = []report.Table{table}
	return p
}
