package equation

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Problem is an operator given as text. It maps a Gaussian function a to a field at a given time. Functions of x in [0,
// Length] are stored as functions on the unit interval or square.
type Problem struct {
	config.Equation
	Input  config.Field
	Points int // of the grid on which a is drawn and fields are computed
	Seed   uint64
}

// Check returns the first defect of the problem, nil or a *config.Error, with the place in the text if that is wrong.
func (p Problem) Check() error {
	if len(p.Numbers()) > 0 {
		return p.checkNumbers()
	}
	return newSolver(p).err
}

// Operator prepares the problem. If Check rejects the problem, every solution fails with the error of Check.
func (p Problem) Operator() *truth.Operator { return p.operator(false) }

// RoughOperator is Operator for pictures: between sides no finer solutions verify that there are enough functions and steps.
func (p Problem) RoughOperator() *truth.Operator { return p.operator(true) }

// operator prepares the problem for solutions that are rough or not.
func (p Problem) operator(rough bool) *truth.Operator {
	s := newSolver(p)
	first := p.newResolution(rough) // of equations between sides, which all workers share
	o := &truth.Operator{
		Domain:    s.domain,
		Points:    p.Points,
		Times:     []float64{p.Time},
		Block:     block,
		Tolerance: p.Tolerance,
		Seed:      p.Seed,
		Draws:     s.draws,
		Steps:     p.Steps,
		NewWorker: func() truth.Worker { return s.newAnyWorker(first) },
	}
	o.With = func(points int, tolerance float64) *truth.Operator {
		other := p
		other.Points = points
		if !s.exact { // exact solutions have no tolerance
			other.Tolerance = tolerance
		}
		return other.operator(rough)
	}
	if s.err == nil && len(p.Numbers()) > 0 {
		return p.withNumbers(o, rough)
	}
	return o
}

// newAnyWorker returns a worker of the equation, on the torus or between sides.
func (s *evolution) newAnyWorker(first *resolution) truth.Worker {
	if len(s.conditions) > 0 || s.Steady() {
		return s.newSidesWorker(first)
	}
	return s.newWorker()
}

// newSolver prepares the problem, with random numbers in the middle of their ranges; err is the first defect.
func newSolver(p Problem) (s *evolution) { return newReflected(p, nil) }

// newReflected is newSolver for a periodic problem that is solved between sides where its fields are reflected; nil: on the
// torus.
func newReflected(p Problem, r *reflection) (s *evolution) {
	p.Equation = p.Middle()
	domain := grid.Domain{Dims: max(1, p.Dims), Periodic: !p.Bounded()}
	measure := grf.Measure{
		Tau:   p.Input.Tau,
		Alpha: p.Input.Alpha,
		Scale: p.Input.Scale,
		Space: domain,
	}
	s = &evolution{
		Problem:   p,
		domain:    domain,
		draws:     measure.On(p.Points),
		maxSteps:  maxSteps,
		reflected: r,
	}
	defer func() { // of reader.fail
		switch e := recover().(type) {
		case nil:
		case *config.Error:
			s.err = e
		default:
			panic(e)
		}
	}()
	s.read()
	s.setMap()
	switch {
	case s.Steady():
		s.setSteady()
	case p.Bounded():
		s.setEnds()
	default:
		s.discretise()
	}
	return s
}

// setMap finds the output field and reads the initial values.
func (s *evolution) setMap() {
	if s.Output != "" {
		s.output = slices.Index(s.Fields, s.Output)
		if s.output < 0 {
			failKey("equation.output", fmt.Sprintf("names no field: there are %q", s.Fields), "set it to one of them")
		}
	}
	s.readInitial()
	isStepped := s.Problem.Steps > 1
	mapsFieldToItself := len(s.Fields) == 1 && s.Coefficient == "" && s.beginsWithInput(0)
	if isStepped && !mapsFieldToItself {
		failKey("equation.steps", "is for one field that begins with a", "set it to 1")
	}
}

// readInitial reads an initial value for each field.
func (s *evolution) readInitial() {
	initial := s.initialLines()
	if len(initial) == 0 {
		initial = s.assumedValues()
	}
	if len(initial) != len(s.Fields) {
		first := "a"
		if s.Coefficient != "" { // the input is no initial value
			first = "0.2"
		}
		if slices.ContainsFunc(s.conditions, s.isRandom) { // it is no factor that needs a field
			first = "0"
		}
		example := first + strings.Repeat("; 0", len(s.Fields)-1)
		s.failInitial(len(initial), example)
	}
	if d := s.scope.definitions["a"]; d != nil {
		d.fail(0, "choose another name", "a is the input where initial values are given")
	}
	defer blame("equation.initial")
	for _, text := range initial {
		value := newReader(&s.scope, "initial value", text).last()
		s.values = append(s.values, value)
	}
}

// failInitial refuses a number of initial values that is not the number of fields.
func (s *evolution) failInitial(count int, example string) {
	values := printable.Several(count, "value")
	if count == 0 {
		values = "no value"
	}
	fields := "the field " + s.Fields[0]
	remedy := "give one, such as " + example
	if len(s.Fields) > 1 {
		fields = "the fields " + strings.Join(s.Fields, ", ")
		remedy = "give one for each, such as " + example
	}
	failKey("equation.initial", fmt.Sprintf("has %s for %s", values, fields), remedy)
}

// assumedValues returns the initial values that are meant if none are given; nil where they have to be.
func (s *evolution) assumedValues() []string {
	switch {
	case s.Coefficient == "" && len(s.Fields) == 1:
		return []string{"a"}
	case s.Steady(): // Newton's iteration begins with them
		return slices.Repeat([]string{"0"}, len(s.Fields))
	}
	return nil
}

// named matches an initial value with the name of its field: u = ..., u(0) = ..., u_t(0) = ...
var named = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*)(_t)?(?:\(0\))?\s*=\s*(.*)$`)

// givenInitial returns the initial values with the name of a field, by field, and the others in their order.
func (s *evolution) givenInitial() (byField map[string]string, plain []string) {
	byField = map[string]string{}
	for _, line := range config.Lines(s.Initial) {
		parts := named.FindStringSubmatch(line)
		if parts == nil {
			plain = append(plain, line)
			continue
		}
		field := parts[1]
		if parts[2] != "" {
			field += velocitySuffix
		}
		if !slices.Contains(s.Fields, field) || byField[field] != "" {
			failKey("equation.initial", fmt.Sprintf("names %s, which is no field, or twice", strings.TrimSuffix(field, velocitySuffix)),
				"the fields are "+strings.Join(s.Fields, ", "))
		}
		byField[field] = parts[3]
	}
	return byField, plain
}

// initialLines returns the initial values in the order of the fields. Those with names may be in any order, and
// velocities are 0 if they are left out.
func (s *evolution) initialLines() []string {
	given, plain := s.givenInitial()
	if len(plain) == len(s.Fields) {
		return plain
	}
	if len(given) == 0 && len(plain) == 0 {
		plain = config.Lines(s.AssumedInitial())
	}
	var lines []string
	for f, field := range s.Fields {
		switch {
		case given[field] != "":
			lines = append(lines, given[field])
		case s.isVelocity(f):
			lines = append(lines, "0")
		case len(plain) > 0:
			lines = append(lines, plain[0])
			plain = plain[1:]
		}
	}
	return append(lines, plain...)
}

// inputKey is the key of the input in initial values, whose only field it is.
const inputKey = fieldMark + "0_"

// beginsWithInput reports whether the initial value of a field is the input.
func (s *evolution) beginsWithInput(field int) bool {
	return field < len(s.values) && s.values[field].key() == "+1*"+inputKey
}

// Steps counts the time steps of the last solution, rejected ones included, by which the time of pictures is bounded.
func (w *worker) Steps() int { return w.steps }

// Reached returns the time up to which the last solution went, also if it was cancelled.
func (w *worker) Reached() float64 { return w.reached }

// Solve implements truth.Worker.
func (w *worker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	if w.err != nil { // also a grid that is too coarse for the equation
		return &fault.Numerical{
			Where: "equation solver",
			What:  w.err.Error(),
			Do:    "raise data.grid",
		}
	}
	domain := w.domain
	if w.reflected != nil { // the points are those between the sides
		domain.Periodic = false
	}
	for l := range block {
		function := min(l, a.Count-1) // the last one in place of missing ones
		for i, v := range domain.Distinct(a.At(function)) {
			w.input[block*i+l] = v
		}
	}
	w.initial.toPoints(nil)
	return w.advance(ctx, times, label, func(j int) {
		values := w.onPoints(w.output)
		for l := range a.Count {
			domain.Complete(outputs[j].At(l), values[l:], block)
		}
	})
}
