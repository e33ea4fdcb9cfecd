package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the type of a key's value.
type Kind int

// The kinds of values.
const (
	Integer Kind = iota
	Real
	Choice
	Path
	Name
	YesNo
	Text // of an equation
)

// A Step is the rule that leads from a value to the next one.
type Step int

// The steps. Without one, integers double and real numbers take the values 1, 2, 5.
const (
	byKind          Step = iota
	ones                 // one by one
	intervalsDouble      // the intervals of a grid double
	divisors             // grids that the data grid contains
	tenths               // numbers of two digits, about a tenth away
)

// A Key describes one entry of a Config.
type Key struct {
	// Name is the dotted TOML path, e.g. "data.train_file". Its parts are the names of section and field, except for
	// capitals, "_" and "-".
	Name    string
	Symbol  string   // the paper's symbol, e.g. "n"; empty if it has none
	Help    string   // the meaning of the value, in half a line
	Kind    Kind     // of the value; numbers and yes-or-no keys take it from the field
	Min     float64  // smallest value of an Integer or Real
	Max     float64  // largest value
	Above   bool     // Min itself is excluded
	Choices []string // values of a Choice or of a YesNo
	Step    Step     // to the next value
	Tuned   bool     // changed by a search for better features, directly or through another key

	in        *Config                    // the configuration of the key; nil before
	of        func(c Config) bool        // reports whether a configuration has the key; nil: all have
	vary      func(p Problem, k *Key)    // adapts the key to a problem; may be nil
	ours      bool                       // the paper has no value
	seconds   bool                       // a Real that may have units of time
	published func(preset Config) string // the paper's value, if it differs from the preset's
	search    map[string]Search          // by feature map
	index     []int                      // of the field
	parameter string                     // of an equation; such keys have no field
}

func init() {
	for i := range keys {
		keys[i].find()
	}
}

// find sets the field of the key and takes the kind of numbers from its type. A section that has the name of a problem
// belongs to the problem.
func (k *Key) find() {
	t := reflect.TypeFor[Config]()
	path := strings.NewReplacer("_", "", "-", "").Replace(k.Name)
	for part := range strings.SplitSeq(path, ".") {
		field, ok := t.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, part) })
		if !ok {
			panic("config: no field for the key " + k.Name)
		}
		k.index = append(k.index, field.Index...)
		t = field.Type
	}
	if section := k.Group(); slices.Contains(Problems(), section) {
		k.of = func(c Config) bool { return c.Problem == section }
	}
	switch t.Kind() {
	case reflect.Float64:
		k.Kind = Real
	case reflect.Bool:
		k.Kind = YesNo
		k.Choices = []string{Yes, No}
	}
}

// pointer returns a pointer to the key's field.
func (k Key) pointer(c *Config) any {
	if k.parameter != "" {
		value := c.Equation.Values()[k.parameter]
		return &value
	}
	return reflect.ValueOf(c).Elem().FieldByIndex(k.index).Addr().Interface()
}

// Lookup finds a key of the configuration by its full name ("data.train"), or by its last part where that is
// unambiguous ("count"). The error names the nearest key.
func (c Config) Lookup(name string) (Key, error) {
	found := c.keysEnding("." + name)
	exact := slices.IndexFunc(found, func(k Key) bool { return k.Name == name })
	if exact >= 0 {
		return found[exact], nil
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Key{}, &Error{
			Key:        name,
			Problem:    "is not a setting of problem " + c.Problem,
			Suggestion: c.suggestKey(name),
		}
	}
	names := make([]string, len(found))
	for i, k := range found {
		names[i] = k.Name
	}
	return Key{}, &Error{
		Key:        name,
		Problem:    "is ambiguous",
		Suggestion: "write " + strings.Join(names, " or "),
	}
}

// suggestKey returns the remedy for a name that no key has.
func (c Config) suggestKey(name string) string {
	nearest, similar := c.nearest(name)
	group, last, dotted := strings.Cut(name, ".")
	mayBeParameter := c.Problem == TextEquation && (!dotted || group == "equation")
	elsewhere := c.problemsWith(name)
	hasSamePart := strings.EqualFold(last, nearest[strings.LastIndexByte(nearest, '.')+1:])
	switch {
	case hasSamePart: // only the group is wrong, or the case of letters, so that the setting of this problem is meant
	case len(elsewhere) == 1:
		return fmt.Sprintf("leave it out, because only problem %s has it", elsewhere[0])
	case len(elsewhere) > 1:
		return fmt.Sprintf("leave it out, because only the problems %s have it", strings.Join(elsewhere, " and "))
	}
	if similar || hasSamePart {
		return fmt.Sprintf("did you mean %q?", nearest)
	}
	if !mayBeParameter {
		return "leave it out, or write the whole name, such as features.count"
	}
	names := c.Equation.names(c.Equation.Values())
	if names == nil {
		return "the equation has no parameters"
	}
	return "set a parameter of the equation: " + strings.Join(names, ", ")
}

// problemsWith returns the other problems that have a setting of a full name, or of an unambiguous last part.
func (c Config) problemsWith(name string) (problems []string) {
	for _, p := range Problems() {
		other := Problem{Name: p}.Start()
		found := other.keysEnding("." + name)
		isExact := slices.ContainsFunc(found, func(k Key) bool { return k.Name == name })
		if p != c.Problem && (isExact || len(found) == 1) {
			problems = append(problems, p)
		}
	}
	return problems
}

// Group returns the first part of the key's name, or "experiment" for a key outside any section.
func (k Key) Group() string {
	if group, _, ok := strings.Cut(k.Name, "."); ok {
		return group
	}
	return "experiment"
}

// Short returns the last part of the key's name.
func (k Key) Short() string { return k.Name[strings.LastIndexByte(k.Name, '.')+1:] }

// Text returns the key's value in c as a user would type it.
func (k Key) Text(c Config) string {
	switch v := k.pointer(&c).(type) {
	case *int:
		return strconv.Itoa(*v)
	case *uint64:
		return strconv.FormatUint(*v, 10)
	case *float64:
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case *string:
		return *v
	case *bool:
		if *v {
			return Yes
		}
		return No
	default:
		panic(fmt.Sprintf("config: key %s has type %T", k.Name, v))
	}
}

// About describes the value of the key in c, or the key itself if its values have no description.
func (k Key) About(c Config) string {
	if k.Name != "train.method" {
		return k.Help
	}
	return fmt.Sprintf("%s = %s", k.Text(c), c.Method().Help)
}

// Rounded returns Text, with the given number of significant digits for a real number.
func (k Key) Rounded(c Config, digits int) string {
	if v, ok := k.pointer(&c).(*float64); ok {
		return strconv.FormatFloat(*v, 'g', digits, 64)
	}
	return k.Text(c)
}

// Set parses text, checks it against the key's range and stores it in c, which an error leaves unchanged. Integers also
// take forms like 1e3; Validate checks conditions between keys. Another problem brings the configuration of its preset,
// of which only the seed is replaced. Another feature map brings its parameters. A file of test pairs ends the split.
func (k Key) Set(c *Config, text string) error {
	text = strings.TrimSpace(text)
	before := *c
	ok := true
	switch p := k.pointer(c).(type) {
	case *int:
		*p, ok = parseInteger(text)
	case *uint64:
		v, err := strconv.ParseUint(text, 10, 64)
		*p = v
		ok = err == nil
	case *float64:
		*p, ok = parseReal(text)
		if !ok && k.seconds {
			*p, ok = parseSeconds(text)
		}
	case *bool:
		word := strings.ToLower(text)
		*p = word == Yes || word == "true"
		ok = *p || word == No || word == "false"
	case *string:
		if k.Kind == Choice {
			text = strings.ToLower(text)
		}
		if k.Kind == Text {
			if k.parameter != "" {
				text = c.Equation.parameter(k.parameter).within(text)
			}
			if err := k.checkText(text); err != nil {
				return err
			}
		}
		*p = text
		if k.Name == "equation.text" {
			c.Equation = c.Equation.withRanges()
		}
		if k.parameter != "" {
			values := c.Equation.Values()
			values[k.parameter] = text
			c.Equation.keep(values)
		}
	}
	var err error
	if !ok {
		err = k.error(text, "")
	} else {
		err = k.check(*c)
	}
	if err != nil {
		*c = before
		return err
	}
	switch {
	case c.Problem != before.Problem:
		*c = c.Of().Start()
		c.Seed = before.Seed
	case c.Equation.Dims != before.Equation.Dims:
		*c = c.withDims()
	case c.Equation.Text != before.Equation.Text:
		*c = c.withText(before)
	case c.Features.Kind != before.Features.Kind:
		*c = c.withKind(c.Features.Kind)
	case c.Data.TestFile != before.Data.TestFile && c.Data.TestFile != "":
		c.Data.Split = 0
	}
	takesNumbers := len(c.Equation.Numbers()) > 0 && c.Equation != before.Equation
	hasSides := c.Equation.Bounded() && !before.Equation.Bounded()
	if c.Train.Method == RandomFeatures && (takesNumbers || hasSides) {
		// Random features take no numbers. They are periodic, so that between sides other methods have much smaller errors.
		c.Train.Method = Best
	}
	c.forgetAxes(before)
	return nil
}

// forgetAxes leaves the axes and the grid of the inputs open, which are those of other arrays, if a configuration names
// arrays or their layout otherwise than before.
func (c *Config) forgetAxes(before Config) {
	d := &c.Data
	old := before.Data
	if d.Input != old.Input || d.Output != old.Output || d.Layout != old.Layout {
		d.Axes = ""
		d.TestAxes = ""
		d.InputGrid = 0
	}
	if d.TestInput != old.TestInput || d.TestOutput != old.TestOutput {
		d.TestAxes = ""
	}
}

// parseInteger reads an integer, which may have a form like 1e3 or 4000.0.
func parseInteger(text string) (int, bool) {
	v, err := strconv.ParseFloat(text, 64)
	ok := err == nil && v == math.Trunc(v) && math.Abs(v) <= math.MaxInt32
	return int(v), ok
}

// Same reports whether the key has the same value in a and b.
func (k Key) Same(a, b Config) bool { return k.Text(a) == k.Text(b) }

// Differences names a configuration by its differences from another one: symbols, or else names, and values.
func Differences(of, from Config) string {
	var list []string
	for _, k := range of.Keys() {
		if !k.Same(of, from) {
			list = append(list, cmp.Or(k.Symbol, k.Short())+"="+k.Text(of))
		}
	}
	return strings.Join(list, " ")
}

// check tests the key's own range.
func (k Key) check(c Config) error {
	text := k.Text(c)
	switch p := k.pointer(&c).(type) {
	case *int:
		if v := float64(*p); !k.allows(v) {
			return k.error(text, k.clamp(c, v))
		}
	case *float64:
		if !k.allows(*p) {
			return k.error(text, k.clamp(c, *p))
		}
	case *string:
		if k.Kind == Text {
			return k.checkText(*p)
		}
		isLeftOut := *p == "" && k.mayBeEmpty()
		if k.Kind == Name && !isName(*p) && !isLeftOut {
			return k.error(strconv.Quote(text), "")
		}
		if k.Kind == Path && !utf8.ValidString(*p) {
			return &Error{
				Key:        k.Name,
				Symbol:     k.Symbol,
				Value:      strconv.QuoteToASCII(*p),
				Problem:    "is not UTF-8, as configurations are",
				Suggestion: "rename the file or its directory, or make a link to it",
			}
		}
		if k.Kind == Choice && !slices.Contains(k.Choices, *p) {
			suggestion := Similar(*p, k.Choices)
			if suggestion == "" {
				suggestion = k.usual(c)
			}
			e := k.error(text, suggestion)
			if k.Name == "problem" { // others must not ask for presets, because presets are read by this
				if _, err := PresetByName(text); err == nil {
					e.Suggestion = fmt.Sprintf("this is a preset: `rfm run %s`, or preset = %q in a file", text, text)
				}
			}
			return e
		}
	}
	return nil
}

// mayBeEmpty reports whether a name may be left out.
func (k Key) mayBeEmpty() bool {
	switch k.Short() {
	case "axes", "missing", "points":
		return true
	}
	return strings.HasPrefix(k.Short(), "test_")
}

// isName reports whether s is allowed as the name of an array in a file.
func isName(s string) bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || len(s) > 256 || !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, unprintable)
}

// allows reports whether a number is within the key's bounds.
func (k Key) allows(v float64) bool {
	if k.Above && v == k.Min {
		return false
	}
	return v >= k.Min && v <= k.Max
}

// usual returns the value that the key has before anything is set; empty if the configuration has no known problem.
func (k Key) usual(c Config) string {
	start := c.Of().Start()
	if start.Problem != c.Problem || k.parameter != "" {
		return ""
	}
	return k.Text(start)
}

// clamp suggests a value within the range for v outside it.
func (k Key) clamp(c Config, v float64) string {
	switch {
	case math.IsNaN(v), k.Paper() != "" && v <= k.Min:
		return k.Paper()
	case v <= k.Min && k.Kind != Integer:
		return k.usual(c)
	default:
		return formatNumber(min(max(v, k.Min), k.Max))
	}
}

// Range describes the values that the key takes, e.g. "a whole number from 1 to 131072".
func (k Key) Range() string {
	switch k.Kind {
	case Choice:
		return "one of " + strings.Join(k.Choices, ", ")
	case YesNo:
		return "yes or no"
	case Path:
		return "a file name, or empty"
	case Name:
		return "a name of up to 256 bytes without control characters"
	case Text:
		return "text of an equation"
	case Integer:
		if k.Max == math.MaxUint64 {
			return "a whole number, 0 or more"
		}
		return fmt.Sprintf("a whole number from %s to %s", formatNumber(k.Min), formatNumber(k.Max))
	default:
		if k.Above {
			return fmt.Sprintf("a number above %s, at most %s", formatNumber(k.Min), formatNumber(k.Max))
		}
		if k.seconds {
			return fmt.Sprintf("a number of seconds from %s to %s, or a time such as 5m", formatNumber(k.Min), formatNumber(k.Max))
		}
		return fmt.Sprintf("a number from %s to %s", formatNumber(k.Min), formatNumber(k.Max))
	}
}

// error returns the error of a value, with a value to try in its place; that of the paper if none is given.
func (k Key) error(value, suggestion string) *Error {
	if suggestion == "" {
		suggestion = k.Paper()
	}
	e := &Error{
		Key:     k.Name,
		Symbol:  k.Symbol,
		Value:   value,
		Problem: "must be " + k.Range(),
	}
	if suggestion != "" {
		e.Suggestion = "try " + suggestion
	}
	return e
}

func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Search is the range of values that a search tries for a key.
type Search struct {
	Low, High float64  // bounds of a number
	Log       bool     // on a logarithmic scale
	Values    []string // or a list of values

	line   bool // only for functions of one variable
	square bool // only for functions on a square whose symmetry is not given
}

// Search returns the range of the key for the configuration's feature map; ok is false if a search keeps its value.
func (k Key) Search(c Config) (s Search, ok bool) {
	s, ok = k.search[c.Features.Kind]
	if !ok || s.line && c.Dims() > 1 || s.square && !c.openSquare() {
		return Search{}, false
	}
	if s.Values == nil && k.Kind == Choice {
		s.Values = k.Choices
	}
	return s, true
}

// openSquare reports whether functions are on a square, in files, and the symmetry of their operator is not given.
func (c Config) openSquare() bool {
	square := c.Of().Files && c.Closed() && c.Dims() == 2 && c.Data.Columns == 0
	in, out := c.Channels()
	return square && in == 1 && out == 1 && c.Data.Symmetry == AutoSymmetry
}
