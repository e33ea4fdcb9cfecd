package vary

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/model/run/sweep"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/session"
)

// Values are the settings for which several values were typed: a run is computed for each combination.
type Values struct {
	Axes  []sweep.Axis
	typed map[string]string // the values as they were typed, by key

	price   float64       // seconds of all runs; 0 if it is not known
	priced  config.Config // the configuration that it is the price of
	pricing int           // number of values that it is the price of
}

// Several reports whether a text for a number has more than one: 128,256,512 or 1..20.
func Several(k config.Key, text string) bool {
	if !Numeric(k) {
		return false
	}
	if !strings.Contains(text, ",") && !strings.Contains(text, "..") {
		return false
	}
	for item := range strings.SplitSeq(strings.ReplaceAll(text, "..", ","), ",") {
		_, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil && isParameter(k) { // a parameter may be an expression with commas
			return false
		}
	}
	return true
}

// Numeric reports whether a value is a number, or that of an equation's parameter, which mostly is one.
func Numeric(k config.Key) bool {
	return k.Kind == config.Integer || k.Kind == config.Real || isParameter(k)
}

func isParameter(k config.Key) bool { return strings.HasPrefix(k.Name, "equation.parameters.") }

// AxisOf reads several values of a key. The error is a *config.Error in the words of the form.
func AxisOf(c config.Config, k config.Key, text string) (*sweep.Axis, error) {
	axis, err := sweep.ParseAxis(c, k.Name+"="+text)
	if err != nil {
		e := config.Error{Key: k.Name, Problem: err.Error()}
		known, ok := errors.AsType[*config.Error](err)
		if ok {
			e = *known
		}
		if strings.HasPrefix(e.Key, "--vary") {
			e.Key = k.Name
			e.Suggestion = "write values with commas, or the first and the last of whole numbers: 128,256,512 or 1..20"
		}
		return nil, &e
	}
	return &axis, nil
}

// Add takes several values of a key, in place of others.
func (v *Values) Add(axis sweep.Axis, typed string) {
	v.Drop(axis.Key)
	if len(axis.Values) < 2 {
		return
	}
	v.Axes = append(v.Axes, axis)
	if v.typed == nil {
		v.typed = map[string]string{}
	}
	v.typed[axis.Key] = typed
}

// Drop forgets the values of a key.
func (v *Values) Drop(key string) {
	v.Axes = slices.DeleteFunc(v.Axes, func(a sweep.Axis) bool { return a.Key == key })
	delete(v.typed, key)
	v.price = 0
	v.priced = config.Config{}
}

// Of reports whether there are several values of a setting of a configuration.
func (v *Values) Of(c config.Config) bool {
	for _, a := range v.Axes {
		k, err := c.Lookup(a.Key)
		if err == nil && k.Text(c) == a.Values[0] {
			return true
		}
	}
	return false
}

// Runs returns the number of combinations.
func (v *Values) Runs() int {
	n := 1
	for _, a := range v.Axes {
		n *= len(a.Values)
	}
	return n
}

// Typed returns the values of a key as they were typed; empty if it has one value.
func (v *Values) Typed(key string) string { return v.typed[key] }

// Follow forgets the values of settings that have another value now, because a preset was taken or a change taken back,
// and finds the price of the others.
func (v *Values) Follow(s *session.Session) {
	c := s.Draft.Config()
	for _, a := range slices.Clone(v.Axes) {
		k, err := c.Lookup(a.Key)
		if err != nil || k.Text(c) != a.Values[0] {
			v.Drop(a.Key)
		}
	}
	const most = 100 // Runs that are priced; more take too long for a key press
	isPriced := v.price > 0 && v.priced == c && v.pricing == v.Runs()
	if len(v.Axes) == 0 || v.Runs() > most || isPriced {
		return
	}
	v.price = 0
	v.priced = c
	v.pricing = v.Runs()
	all := sweep.Sweep{Base: c, Axes: v.Axes}
	for _, group := range all.Groups() {
		for i, cell := range group {
			if cell.Fault != nil {
				continue
			}
			e, known := s.Estimate(cell.Config)
			if !known {
				v.price = 0
				return
			}
			v.price += e.Train + e.Evaluate
			if i == 0 { // the pairs are those of all runs of the group
				v.price += e.Generate
			}
		}
	}
}

// Word says what the key that runs does, and what that costs.
func (v *Values) Word() string {
	text := "sweep of " + printable.Several(v.Runs(), "run")
	if v.price > 0 {
		text += fmt.Sprintf(" (%s)", report.Duration(v.price))
	}
	return text
}
