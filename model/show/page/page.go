// Package page writes a trained model as one HTML page, to send to somebody: the input is drawn with a pen, and the
// prediction follows at once. A page needs no network and no library. Its formulas are those of rfm.py, in JavaScript.
package page

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"rfm/model/learn/score"
	"rfm/model/trained"
	"rfm/model/trained/unlike"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// Content is what a page shows.
type Content struct {
	Title    string   // of the window
	Equation []string // lines, or the name of the file that the pairs come from
	Sentence string   // the error, for people
	Method   string   // that learned the model
	Version  string   // of the program
	Command  string   // that repeats the run
	Input    string   // name of the input
	Output   string   // name of the output
	Axis     [2]float64
	Model    trained.Model
	Train    dataset.Pairs // on the grid of Grid: they give the ranges of values
	Test     dataset.Pairs // on the grid of Grid; the best, the median and the worst are shown
}

//go:embed page.html
var markup string

//go:embed page.css
var style string

//go:embed core.js
var core string

//go:embed chains.js
var chains string

//go:embed alarm.js
var alarmFormula string

//go:embed places.js
var placing string

//go:embed ui.js
var interaction string

// Grid returns the points along the first axis of the functions of a page: the grid of the training, or the coarser one
// on which the model predicts.
func Grid(m trained.Model) int {
	if m.Coarse != 0 {
		return m.Coarse
	}
	return m.Grid
}

// data is the content for the script.
type data struct {
	Operator json.RawMessage  `json:"operator"`
	Arrays   map[string]array `json:"arrays"`
	Grid     [2]int           `json:"grid"` // rows, 1 for functions of one variable, and columns
	Periodic bool             `json:"periodic"`
	Cells    bool             `json:"cells"`
	Axis     [2]float64       `json:"axis"` // ends of the axis of functions of one variable
	Names    names            `json:"names"`
	Ranges   ranges           `json:"ranges"`
	Sliders  []slider         `json:"sliders"`
	Samples  []sample         `json:"samples"`
	Alarm    *alarm           `json:"alarm,omitempty"`  // nil: nothing is known of the training inputs
	Places   *places          `json:"places,omitempty"` // nil: functions are on a grid
}

// alarm holds the training inputs with which an input is compared, see unlike.Inputs.
type alarm struct {
	Rows       int       `json:"rows"`
	Columns    int       `json:"columns"`
	Units      []float64 `json:"units"`
	Lengths    []float64 `json:"lengths"`
	Limit      float64   `json:"limit"`
	Every      int       `json:"every,omitempty"` // points of any geometry: one of so many is compared
	References string    `json:"references"`      // functions x channels x rows x columns, in base64
}

// array is an array as text: the bytes of float64, least first, in base64.
type array struct {
	Shape []int  `json:"shape"`
	Data  string `json:"data"`
}

type names struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// ranges holds the least and the largest value of each channel in the training pairs.
type ranges struct {
	Input  [][2]float64 `json:"input"`
	Output [][2]float64 `json:"output"`
}

// slider is a channel of inputs that is a number: constant in each training input.
type slider struct {
	Name    string  `json:"name"`
	Channel int     `json:"channel"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// sample is a pair that a button shows, in base64.
type sample struct {
	Name   string `json:"name"`
	Input  string `json:"input"`
	Output string `json:"output"`
}

// Write writes the page of a model. Errors: a *fault.Data if a page cannot hold this kind of model, w's, ctx.Err().
func Write(ctx context.Context, w io.Writer, c Content) error {
	d, err := dataOf(ctx, c)
	if err != nil {
		return err
	}
	text, err := json.Marshal(d) // which escapes <, > and &, so that no text ends the script
	if err != nil {
		return err
	}
	var equation strings.Builder
	for _, line := range c.Equation {
		equation.WriteString(escaped(line) + "<br>")
	}
	// The package html/template would make the program a tenth larger, because it keeps all methods of all types.
	replacer := strings.NewReplacer(
		"{{Title}}", escaped(c.Title),
		"{{Equation}}", equation.String(),
		"{{Sentence}}", escaped(c.Sentence),
		"{{Method}}", escaped(c.Method),
		"{{Version}}", escaped(c.Version),
		"{{Command}}", escaped(c.Command),
		"{{Style}}", style,
		"{{Data}}", string(text),
		"{{Core}}", core,
		"{{Chains}}", chains,
		"{{Alarm}}", alarmFormula,
		"{{Places}}", placing,
		"{{Interface}}", interaction,
	)
	_, err = replacer.WriteString(w, markup)
	return err
}

// escaped returns text as HTML, without control characters.
func escaped(text string) string { return html.EscapeString(printable.Text(text)) }

// dataOf prepares the content for the script.
func dataOf(ctx context.Context, c Content) (data, error) {
	operator, arrays, err := c.Model.Parts()
	if err != nil {
		return data{}, err
	}
	if err := supported(operator); err != nil {
		return data{}, err
	}
	points := Grid(c.Model)
	domain := c.Model.Domain()
	rows, columns := domain.Axes(points)
	d := data{
		Operator: operator,
		Arrays:   map[string]array{},
		Grid:     [2]int{rows, columns},
		Periodic: domain.Periodic,
		Cells:    domain.Cells,
		Axis:     c.Axis,
		Names:    names{Input: c.Input, Output: c.Output},
	}
	for _, a := range arrays {
		if isPlaceArray(a.Name) {
			continue
		}
		onGrid, err := restricted(a, domain, points)
		if err != nil {
			return data{}, err
		}
		d.Arrays[a.Name] = array{
			Shape: onGrid.Shape,
			Data:  encoded(onGrid.Data),
		}
	}
	d.Places = placesOf(domain, c.Train.Inputs)
	input := d.Places.input
	output := func(int) int { return d.Places.output() }
	d.Ranges = ranges{
		Input:  rangesOf(c.Train.Inputs, d.Places, input),
		Output: rangesOf(c.Train.Outputs, d.Places, output),
	}
	d.Sliders = slidersOf(c.Train.Inputs, d.Places, d.Ranges.Input, c.Input)
	d.Alarm = alarmOf(c.Model.Training, domain, points)
	d.Samples, err = samplesOf(ctx, c)
	return d, err
}

// alarmOf returns the training inputs for the script; nil if the grid of the page does not contain theirs.
func alarmOf(in *unlike.Inputs, domain grid.Domain, points int) *alarm {
	if in == nil || !(in.Limit > 0) {
		return nil
	}
	if in.Every == 0 && !domain.Contains(points, in.Points) {
		return nil
	}
	rows := 1 // of a list of values at points of any geometry
	columns := in.Points
	if in.Every == 0 {
		rows, columns = domain.Axes(in.Points)
	}
	return &alarm{
		Rows:       rows,
		Columns:    columns,
		Units:      in.Units,
		Lengths:    in.Lengths,
		Limit:      in.Limit,
		Every:      in.Every,
		References: encoded(in.References.RawMatrix().Data),
	}
}

// kinds are the kinds of operators whose formulas core.js and chains.js have.
var kinds = []string{"mean", "affine", "kernel", "multiplier", "equivariant", "features", "spectral", "neural", "scaled",
	"symmetric", "stacked", "layer", "pointwise", "sheared", "corrected", "predictor-corrector", "staged", "folded",
	"widened"}

// supported returns a *fault.Data if a page cannot hold an operator.
func supported(operator json.RawMessage) error {
	var part struct {
		Kind string          `json:"kind"`
		Of   json.RawMessage `json:"of"`
		Map  json.RawMessage `json:"map"`

		First  json.RawMessage `json:"first"`
		Second json.RawMessage `json:"second"`
		Low    json.RawMessage `json:"low"`
		Rest   json.RawMessage `json:"rest"`
	}
	if err := json.Unmarshal(operator, &part); err != nil {
		return err
	}
	if !slices.Contains(kinds, part.Kind) {
		return &fault.Data{
			Where: "a page",
			What:  fmt.Sprintf("cannot hold an operator of the kind %q", part.Kind),
			Do:    "train again with --set train.method=kernel, which a page can hold",
		}
	}
	parts := []json.RawMessage{
		part.Of,
		part.Map,
		part.First,
		part.Second,
		part.Low,
		part.Rest,
	}
	for _, inner := range parts {
		if inner == nil {
			continue
		}
		if err := supported(inner); err != nil {
			return err
		}
	}
	return nil
}

// onFinest are the arrays of functions on the finest grid, the random functions and what is added to predictions.
var onFinest = []string{"theta", "offset", "sigma1", "sigma2"}

// restricted returns an array of a model on the grid of the page: random functions are stored on the finest grid.
func restricted(a npy.Named, domain grid.Domain, points int) (npy.Array, error) {
	if !slices.Contains(onFinest, a.Name) {
		return a.Array, nil
	}
	values := domain.Values(points)
	count := 1
	if a.Name == "theta" {
		count = a.Shape[0]
	}
	own, ok := domain.Points(len(a.Data) / count)
	if !ok || !domain.Contains(own, points) {
		return npy.Array{}, fault.Bad("a page", "train on a grid that divides data.grid: --set train.grid=...",
			"cannot hold the random functions: the grid of %d points does not contain that of %d", own, points)
	}
	fine := grid.BatchOf(domain, own, a.Data)
	coarse, err := fine.Restrict(points)
	if err != nil {
		return npy.Array{}, err
	}
	return npy.Array{Shape: []int{count, values}, Data: coarse.Data}, nil
}

// encoded returns numbers as text, see array.
func encoded(numbers []float64) string {
	bytes := make([]byte, 0, 8*len(numbers))
	for _, v := range numbers {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
	}
	return base64.StdEncoding.EncodeToString(bytes)
}

// rangesOf returns the least and the largest value of each channel.
func rangesOf(functions grid.Batch, at *places, viewOf func(channel int) int) (all [][2]float64) {
	for c := range functions.Domain.Width() {
		least := math.Inf(1)
		most := math.Inf(-1)
		for i := range functions.Count {
			values := at.shown(functions.Of(i, c), viewOf(c))
			least = min(least, slices.Min(values))
			most = max(most, slices.Max(values))
		}
		all = append(all, [2]float64{least, most})
	}
	return all
}

// slidersOf returns the channels that are constant in every input, unless the inputs have nothing else.
func slidersOf(inputs grid.Batch, at *places, ranges [][2]float64, name string) []slider {
	all := []slider{}
	own := strings.Split(name, ",") // of the channels, if each has one
	for c := range inputs.Domain.Width() {
		if !holdsNumbers(inputs, at, c) {
			continue
		}
		label := fmt.Sprintf("%s, number %d", name, len(all)+1)
		if len(own) == inputs.Domain.Width() {
			label = strings.TrimSpace(own[c])
		}
		all = append(all, slider{
			Name:    label,
			Channel: c,
			Low:     ranges[c][0],
			High:    ranges[c][1],
		})
	}
	return all
}

// holdsNumbers reports whether all functions of a channel are constant.
func holdsNumbers(inputs grid.Batch, at *places, channel int) bool {
	for i := range inputs.Count {
		values := at.shown(inputs.Of(i, channel), at.input(channel))
		if !grid.Constant(values) {
			return false
		}
	}
	return true
}

// samplesOf returns the test pairs with the least, the median and the largest error.
func samplesOf(ctx context.Context, c Content) ([]sample, error) {
	predicted, err := c.Model.Predict(ctx, c.Test.Inputs, 1, nil)
	if err != nil {
		return nil, err
	}
	errors, err := score.Measure(predicted, c.Test.Outputs)
	if err != nil {
		return nil, err
	}
	order := errors.Ranking()
	last := len(order) - 1
	at := func(name string, rank int) sample {
		i := order[rank]
		return sample{
			Name:   name,
			Input:  encoded(c.Test.Inputs.At(i)),
			Output: encoded(c.Test.Outputs.At(i)),
		}
	}
	all := []sample{
		at("best", 0),
		at("median", len(order)/2),
		at("worst", last),
	}
	return all, nil
}
