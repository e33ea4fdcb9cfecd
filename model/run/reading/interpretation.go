// This file reads a guess as pairs: it locates the functions, looks at the values of a few, and says what it assumes.

package reading

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// An Interpretation is a way to read a file as pairs.
type Interpretation struct {
	Config config.Config // complete
	files  Files
	Notes  []string // see Files.Complete
	said   []string // assumptions besides them

	guess   pairs.Guess
	problem config.Config
	count   int // pairs in the file, those that are left out as well
}

// read infers the configuration of a problem from the values of a few of the pairs that a guess names, and leaves out
// pairs from which learning is impossible.
func (r *Interpretation) read(ctx context.Context, f *exchange.File, c config.Config, g pairs.Guess,
	settings []string) error {
	err := assignGuess(&c, f, g, settings)
	if err != nil {
		return err
	}
	r.said = nil
	found, err := locate(c, f, g)
	if err != nil {
		return err
	}
	r.count = found.Count
	some, err := r.readSome(&c, f, g, found)
	if err != nil {
		return err
	}
	if err := checkSome(f, some); err != nil {
		return err
	}
	if found.By != "" && found.Info.Layout == config.PointsFirst {
		r.said = append(r.said, fmt.Sprintf("points come before functions, %s (data.layout)", found.By))
	}
	r.said = append(r.said, found.Placed...)
	setting, count, channels := found.Exchanged()
	if setting != "" && !told(settings, "axes") {
		const guess = "%d pairs with %d channels are a guess; otherwise, for %d pairs with %d channels: %s"
		r.said = append(r.said, fmt.Sprintf(guess, count, channels, channels, count, setting))
	}
	if !c.Scattered() {
		err := r.onGrid(&c, found, some, settings)
		if err != nil {
			return err
		}
	}
	err = config.Assign(&c, settings...) // they replace the suggestions of the values
	if err != nil {
		return err
	}
	r.Config, r.Notes, err = r.files.Complete(ctx, c)
	return err
}

// assignGuess sets what a guess and settings say of the arrays of a file.
func assignGuess(c *config.Config, f *exchange.File, g pairs.Guess, settings []string) error {
	d := &c.Data
	d.TrainFile = f.Name
	if g.Input != "" {
		d.Input = g.Input
		d.Output = g.Output
		d.TestInput = g.TestInput
		d.TestOutput = g.TestOutput
	}
	d.Axes = g.Axes
	d.Points = g.Points
	if shared := pairs.SharedFunctions(f, d.Input, d.Output); shared != "" {
		d.Groups = shared
	}
	err := config.Assign(c, settings...)
	if err != nil {
		return err
	}
	hasNamesOfTraining := d.TestInput == g.TestInput && d.TestOutput == g.TestOutput
	if d.TestFile != "" && hasNamesOfTraining {
		d.TestInput = ""
		d.TestOutput = ""
	}
	return nil
}

// locate finds the functions of a configuration in a file. The error is a *fault.Data if they are not as the guess has
// them, or are not on a grid of equal steps.
func locate(c config.Config, f *exchange.File, g pairs.Guess) (*pairs.Functions, error) {
	source := TrainSource(c)
	source.Open = f
	source.Brief = true
	source.Skip = false
	source.Domain.Periodic = false
	found, err := pairs.Find(source)
	if err != nil {
		return nil, err
	}
	isOtherLayout := found.By != "" && found.Info.Layout != g.Layout
	if g.Layout != "" && isOtherLayout {
		return nil, fault.Bad(f.Name, "", "has no smooth functions if %s", g.Note)
	}
	if !c.Scattered() {
		_, _, err = pairs.Coordinates(found)
	}
	return found, err
}

// enough is the number of values that are read from any file.
const enough = 1 << 27

// bounded reports whether the pairs are few enough to read all of them.
func bounded(f *exchange.File, g pairs.Guess) bool {
	count := 0
	for _, name := range slices.Concat(pairs.Names(g.Input), pairs.Names(g.Output)) {
		count += pairs.Lookup(f, name).Count()
	}
	return count <= f.Bound(enough)
}

// readSome reads a few pairs. It takes points without values for a mask, and leaves out pairs that cannot be used, which
// the configuration says then.
func (r *Interpretation) readSome(c *config.Config, f *exchange.File, g pairs.Guess, found *pairs.Functions) (dataset.Pairs,
	error) {
	const (
		few  = 64      // pairs
		most = 1 << 22 // values of either side
	)
	values := found.Grid * found.Columns // of a function
	rows := dataset.First(max(1, min(few, found.Count, most/values)))
	some, err := found.Pairs(rows)
	if isUnusable(err) && !c.Data.Mask && !c.Scattered() {
		text, failure := found.Masked()
		if failure != nil {
			return some, failure
		}
		if text != "" {
			r.said = append(r.said, text)
			c.Data.Mask = true
			found.Mask = true
			some, err = found.Pairs(rows)
		}
	}
	unusable := isUnusable(err)
	if err != nil && !unusable {
		return some, err
	}
	if c.Data.Skip != config.SkipBoth && !bounded(f, g) {
		return some, err
	}
	err = found.LeaveOut()
	if found.Skipped != "" {
		c.Data.Skip = config.SkipBoth
	}
	if unusable && err == nil && found.Count > 0 {
		return found.Pairs(rows[:min(len(rows), found.Count)])
	}
	return some, err
}

// isUnusable reports whether an error is that of pairs from which learning is impossible.
func isUnusable(err error) bool { return errors.As(err, new(*pairs.Unusable)) }

// checkSome refuses values too small to be squared, and inputs that are all the same. The error is a *fault.Data.
func checkSome(f *exchange.File, some dataset.Pairs) error {
	if err := checkSize(f, "inputs", some.Inputs); err != nil {
		return err
	}
	if err := checkSize(f, "outputs", some.Outputs); err != nil {
		return err
	}
	a := some.Inputs
	if a.Count <= 1 {
		return nil
	}
	onlyTheFirst := slices.Repeat(a.At(0), a.Count)
	if slices.Equal(a.Data, onlyTheFirst) {
		return &fault.Data{
			Where: f.Name,
			What:  fmt.Sprintf("has the same input in the first %d pairs, from which nothing can be learned", some.Count()),
			Do:    "give inputs that differ; they may be in another array (data.input)",
		}
	}
	return nil
}

// checkSize refuses functions whose values are too small to be squared.
func checkSize(f *exchange.File, name string, functions grid.Batch) error {
	const least = 1 / grid.LargestValue
	largest := grid.LargestModulus(functions.Data)
	if largest == 0 || largest >= least {
		return nil
	}
	return &fault.Data{
		Where: f.Name,
		What:  fmt.Sprintf("has %s of at most %.3g, whose squares are zero in double precision", name, largest),
		Do:    "give values in a smaller unit",
	}
}

// onGrid notes values that are too rough for functions on a grid, and sets the boundary of the others.
func (r *Interpretation) onGrid(c *config.Config, found *pairs.Functions, some dataset.Pairs, settings []string) error {
	rough, err := found.Rough()
	if err != nil {
		return err
	}
	if rough != nil {
		const noise = "values of %s are as rough from point to point as numbers without an order: they are noise, or those " +
			"at the nodes of a mesh, whose coordinates data.points names (or none)"
		r.said = append(r.said, fmt.Sprintf(noise, strings.Join(rough, " and ")))
	}
	if found.NumbersAlone { // nothing varies from point to point, so that methods for translations would learn nothing more
		c.Data.Boundary = config.Closed
		c.Data.Endpoint = config.Included
		return nil
	}
	boundary(c, some, told(settings, "boundary"))
	return nil
}

// windowOfClosed is features.window for functions on a closed interval, where the effect of a boundary is often larger
// than that of distant points.
const windowOfClosed = 0.3

// boundary sets the boundary of the functions, which may be known, and the place of their ends according to some of
// them, which were read as those of closed domains.
func boundary(c *config.Config, some dataset.Pairs, known bool) {
	isPeriodic, isRepeated := pairs.Ends(some)
	if known {
		isPeriodic = c.Data.Boundary == config.Periodic
	}
	if c.Dims() == 2 {
		endIsOpen := c.Data.Endpoint == config.AutoPoints
		endMayBeLeftOut := endIsOpen || c.Data.Endpoint == config.Excluded
		switch {
		case isPeriodic && (isRepeated || endMayBeLeftOut):
			c.Data.Boundary = config.Periodic
		case isRepeated && endIsOpen: // zeros at the boundary
			c.Data.Endpoint = config.Included
		}
		return
	}
	if !isPeriodic {
		c.Data.Boundary = config.Closed
		c.Data.Endpoint = config.Included
		c.Features.Window = windowOfClosed
		return
	}
	if !isRepeated {
		c.Data.Endpoint = config.Excluded
	}
}

// explain notes the assumptions of a guess that settings do not replace, and the runner-up.
func (r *Interpretation) explain(f *exchange.File, g pairs.Guess, others []pairs.Guess, settings []string) {
	text := g.Note
	other := g.Other
	if !g.Known && !told(settings, "input", "axes") {
		const guessed = "this is a guess, since names do not tell inputs from outputs"
		switch {
		case text != "": // inputs and outputs are parts of one array, or places and a function of them
			text += "; " + guessed
		case len(others) > 0:
			text = guessed
			other = pairs.Settings(others[0].Input, others[0].Output)
		default:
			text = guessed
			other = pairs.Settings(g.Output, g.Input)
		}
	}
	if text != "" && other != "" {
		text += "; otherwise: " + other
	}
	if text != "" {
		r.said = append(r.said, text)
	}
	if r.Config.Scattered() { // whose values have no order
		return
	}
	fields, ok := pairs.Unflattened(f, g)
	if ok && r.Config.Dims() == 1 && !told(settings, "axes", "layout") {
		otherwise := pairs.Settings(fields.Input, fields.Output)
		r.said = append(r.said, "the values may be those of fields, line after line: "+otherwise)
	}
	name, split := pairs.Joined(f, g)
	if split != "" && !told(settings, "input", "output", "axes") {
		const joined = "%s may hold several functions, since its values jump where they would meet: %s"
		r.said = append(r.said, fmt.Sprintf(joined, name, split))
	}
}
