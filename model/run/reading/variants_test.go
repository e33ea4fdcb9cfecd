package reading

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// pairsOf returns functions in rows and their squares.
func pairsOf(first, count, points int) (a, u npy.Array) {
	a = filled(func(p []int) float64 { return smooth(first+p[0], at(p[1], points)) }, count, points)
	u = filled(func(p []int) float64 { v := smooth(first+p[0], at(p[1], points)); return v*v + v }, count, points)
	return a, u
}

// transposed exchanges both axes of an array.
func transposed(a npy.Array) npy.Array {
	return filled(func(p []int) float64 { return a.Data[p[1]*a.Shape[1]+p[0]] }, a.Shape[1], a.Shape[0])
}

// numbers returns so many numbers for each pair.
func numbers(count, each int) npy.Array {
	return filled(func(p []int) float64 { return coefficient(p[0], p[1]) }, count, each)
}

// Words in names tell inputs from outputs and training from test, however they are joined.
func TestNamesTellRolesAndParts(t *testing.T) {
	a, u := pairsOf(0, tried, points)
	b, v := pairsOf(100, 20, points)
	ones := filled(func([]int) float64 { return 1 }, tried, points)
	field := filled(func(p []int) float64 { return smooth(p[0], at(p[1], 12)) + smooth(p[0]+7, at(p[2], points)) }, tried, 12, points)
	flow := filled(func(p []int) float64 {
		return smooth(p[0], at(p[2], 12)) + smooth(p[0]+7+p[1], at(p[3], points))
	}, tried, 5, 12, points)
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		input, output string
		tests         string
		says          string
	}{
		"in and out":     {map[string]npy.Array{"u_in": a, "u_out": u}, "u_in", "u_out", "", ""},
		"first and last": {map[string]npy.Array{"initial": a, "final": u}, "initial", "final", "", ""},
		"number at last": {map[string]npy.Array{"u_0": a, "u_100": u}, "u_0", "u_100", "", ""},
		"a force of one": {map[string]npy.Array{"f": ones, "kappa": a, "u": u}, "kappa", "u", "", "not used: f (60, 24)"},
		"as tests, unnamed": {map[string]npy.Array{"a": a, "u": u, "other": b, "more": v}, "a", "u", "",
			"not used: more (20, 24), other (20, 24)"},
		"joined words":     {map[string]npy.Array{"xtrain": a, "ytrain": u, "xtest": b, "ytest": v}, "xtrain", "ytrain", "xtest", ""},
		"strain is a name": {map[string]npy.Array{"a": a, "strain": u}, "a", "strain", "", "this is a guess"},
		"for validation":   {map[string]npy.Array{"x": a, "y": u, "x_val": b, "y_val": v}, "x", "y", "x_val", ""},
		"tests and others": {map[string]npy.Array{"x": a, "y": u, "x_test": b, "y_test": v, "x_val": b, "y_val": v}, "x", "y",
			"x_test", "not used: x_val (20, 24), y_val (20, 24)"},
		"a number named as an output": {map[string]npy.Array{"p": numbers(tried, 3), "y": u}, "p", "y", "", "this is a guess"},
		"places with names": {map[string]npy.Array{"NACA_X": field, "NACA_Y": field, "NACA_Q": flow}, "NACA_X,NACA_Y", "NACA_Q", "",
			"NACA_X and NACA_Y are taken for places"},
		"quotes": {map[string]npy.Array{"it's": a, "other": u}, "other", "it's", "", `--set data.input='it'\''s'`},
	} {
		c, notes, err := readingOf(t, test.arrays)
		d := c.Data
		if err != nil || d.Input != test.input || d.Output != test.output || d.TestInput != test.tests ||
			!strings.Contains(notes, test.says) {
			t.Errorf("%s: %q -> %q, tests %q, %v\n%s", name, d.Input, d.Output, d.TestInput, err, notes)
		}
	}
}

// wave returns a periodic function that moves and decays, of a number.
func wave(i int, time, x float64) (sum float64) {
	for k := 1; k < 4; k++ {
		sum += coefficient(i, k) * math.Sin(2*math.Pi*float64(k)*(x-0.3*time)+float64(i*k)) * math.Exp(-time/4)
	}
	return sum
}

// Functions at several times are read along the axis of time wherever it is, and a trajectory by its steps.
func TestTimesWhereverTheyAre(t *testing.T) {
	const times, width = 12, 32
	series := func(order string) npy.Array { // n, t and x in an order
		lengths := map[rune]int{'n': tried, 't': times, 'x': width}
		var shape []int
		for _, letter := range order {
			shape = append(shape, lengths[letter])
		}
		return filled(func(p []int) float64 {
			at := func(letter string) int { return p[strings.Index(order, letter)] }
			return wave(at("n"), float64(at("t"))/times, float64(at("x"))/width)
		}, shape...)
	}
	axis := func(length int) npy.Array { return filled(func(p []int) float64 { return float64(p[0]) }, length) }
	one := filled(func(p []int) float64 { return wave(1, float64(p[0])/20, float64(p[1])/width) }, 100, width)
	alone := npy.Array{Shape: []int{1, 100, width}, Data: one.Data}
	few := filled(func(p []int) float64 { return wave(p[0], float64(p[1])/20, float64(p[2])/width) }, 3, 100, width)
	fields := filled(func(p []int) float64 {
		return wave(1, float64(p[0])/20, float64(p[1])/16) + wave(2, float64(p[0])/20, float64(p[2])/16)
	}, 100, 16, 16)
	ofMesh := func(axis int) npy.Array { // as meshgrid makes it
		return filled(func(p []int) float64 { return float64(p[axis]) / width }, width, width)
	}
	square := filled(func(p []int) float64 { return wave(p[0], float64(p[1])/width, float64(p[2])/width) }, tried, width, width)
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		settings      []string
		input, output string
		axes          string
		says          string
	}{
		"second":                           {map[string]npy.Array{"w": series("ntx")}, nil, "w[:, 0]", "w[:, -1]", "nx->nx", "otherwise: axis 2"},
		"last":                             {map[string]npy.Array{"w": series("nxt")}, nil, "w[:, :, 0]", "w[:, :, -1]", "nx->nx", "otherwise: axis 1"},
		"first":                            {map[string]npy.Array{"w": series("tnx")}, nil, "w[0, :]", "w[-1, :]", "nx->nx", "axis 0"},
		"last, called times":               {map[string]npy.Array{"w": series("nxt"), "times": axis(times)}, nil, "w[:, :, 0]", "w[:, :, -1]", "nx->nx", ""},
		"states of Dedalus":                {map[string]npy.Array{"tasks/w": one, "scales/sim_time": axis(100), "scales/iteration": axis(100)}, nil, "tasks/w[:80]", "tasks/w[1:81]", "nx->nx", "one trajectory"},
		"last, with times":                 {map[string]npy.Array{"w": series("nxt"), "t": axis(times)}, nil, "w[:, :, 0]", "w[:, :, -1]", "nx->nx", ""},
		"one":                              {map[string]npy.Array{"w": one}, nil, "w[:80]", "w[1:81]", "nx->nx", "tested on the others"},
		"one of fields":                    {map[string]npy.Array{"w": fields}, nil, "w[:80]", "w[1:81]", "nxy->nxy", "tested on the others"},
		"one, after an axis of length one": {map[string]npy.Array{"w": alone}, nil, "w[0][:80]", "w[0][1:81]", "nx->nx", "tested on the others"},
		"few": {map[string]npy.Array{"w": few}, nil, "w[:, :-1].reshape(-1, 32)", "w[:, 1:].reshape(-1, 32)", "nx->nx",
			"the time of 3 trajectories"},
		"of a mesh": {map[string]npy.Array{"u": square, "x": ofMesh(1), "t": ofMesh(0)}, nil, "u[:, 0]", "u[:, -1]", "nx->nx",
			"axis 1, of length 32, is taken as time"},
		"parts of one": {map[string]npy.Array{"w": one}, []string{"data.input=w[:-1]", "data.output=w[1:]"}, "w[:-1]", "w[1:]",
			"nx->nx", ""},
		"parts of one, turned": {map[string]npy.Array{"w": transposed(one)}, []string{"data.input=w[:, :-1]", "data.output=w[:, 1:]"},
			"w[:, :-1]", "w[:, 1:]", "xn->xn", "since inputs and outputs are parts along their axis"},
		"by coordinates": {map[string]npy.Array{"a": one, "u": one, "x": axis(width)}, nil, "a", "u", "nx->nx", ""},
		"by coordinates, turned": {map[string]npy.Array{"a": transposed(one), "u": transposed(one), "x": axis(width)}, nil, "a", "u",
			"xn->xn", "by the coordinates in the file"},
		"one side turned": {map[string]npy.Array{"load": transposed(one), "sag": one}, nil, "load", "sag", "xn->nx",
			"load has a function in each column"},
		"the other side turned, by coordinates": {map[string]npy.Array{"load": one, "sag": transposed(one), "t": axis(100)}, nil,
			"load", "sag", "xn->nx", "load has a function in each column"},
	} {
		c, notes, err := readingOf(t, test.arrays, test.settings...)
		d := c.Data
		if err != nil || d.Input != test.input || d.Output != test.output || d.Axes != test.axes ||
			!strings.Contains(notes, test.says) {
			t.Errorf("%s: %q -> %q, axes %q, %v\n%s", name, d.Input, d.Output, d.Axes, err, notes)
		}
	}
}

// A side that is transposed on a square is turned, joined functions are named with the parts that they are, and values at
// the nodes of a mesh are never called smooth.
func TestReadingsByValues(t *testing.T) {
	a, u := pairsOf(0, points, points)
	_, long := pairsOf(0, tried, points)
	joined := filled(func(p []int) float64 {
		if p[1] < points {
			return smooth(p[0], at(p[1], points))
		}
		return 5 + smooth(p[0]+91, at(p[1]-points, points))
	}, tried, 2*points)
	nodes := filled(func(p []int) float64 { return math.Sin(float64(p[0]*p[0]*17 + p[1]*p[1]*31 + p[0]*p[1])) }, tried, 100)
	wide, _ := pairsOf(0, tried, 2*points)
	for name, test := range map[string]struct {
		arrays     map[string]npy.Array
		axes, says string
	}{
		"a square":             {map[string]npy.Array{"a": a, "u": transposed(u)}, "nx->xn", "outputs u (K, count)"},
		"a square, inputs":     {map[string]npy.Array{"a": transposed(a), "u": u}, "xn->nx", "outputs u (count, K)"},
		"joined inputs":        {map[string]npy.Array{"a": joined, "u": long}, "nx->nx", "--set data.input='a[:, :24],a[:, 24:]'"},
		"joined outputs":       {map[string]npy.Array{"a": long, "u": joined}, "nx->nx", "--set data.output='u[:, :24],u[:, 24:]'"},
		"joined, points first": {map[string]npy.Array{"a": transposed(joined), "u": transposed(long)}, "xn->xn", "'a[:24, :],a[24:, :]'"},
		"a mesh":               {map[string]npy.Array{"a": wide, "u": nodes}, "nx->nx", "values of u are as rough from point to point"},
	} {
		c, notes, err := readingOf(t, test.arrays)
		if err != nil || c.Data.Axes != test.axes || !strings.Contains(notes, test.says) {
			t.Errorf("%s: axes %q, %v\n%s", name, c.Data.Axes, err, notes)
		}
	}
}

// An axis with more channels than are read is not taken for a field, and following the remedy reads some of them.
func TestManyChannelsAreNoField(t *testing.T) {
	_, u := pairsOf(0, tried, points)
	last := filled(func(p []int) float64 { return smooth(p[0]+50*p[2]*p[2], at(p[1], points)) }, tried, points, 12)
	first := filled(func(p []int) float64 { return smooth(p[0]+50*p[1]*p[1], at(p[2], points)) }, tried, 12, points)
	for part, a := range map[string]npy.Array{"a[:, :, :8]": last, "a[:, :8]": first} {
		arrays := map[string]npy.Array{"a": a, "u": u}
		_, _, err := readingOf(t, arrays)
		if err == nil || !strings.Contains(err.Error(), "--set data.input='"+part+"'") {
			t.Fatalf("%s: %v", part, err)
		}
		c, _, err := readingOf(t, arrays, "data.input="+part)
		if err != nil || c.Data.In != 8 {
			t.Errorf("%s: %d inputs, %v", part, c.Data.In, err)
		}
	}
}

// Cells without values in all functions of one variable are a mask, too.
func TestMaskOfFunctions(t *testing.T) {
	a, u := pairsOf(0, tried, points)
	for i := range tried {
		for x := range 3 {
			u.Data[i*points+x] = math.NaN()
		}
	}
	c, notes, err := readingOf(t, map[string]npy.Array{"a": a, "u": u})
	if err != nil || !c.Data.Mask || !strings.Contains(notes, "3 of 24 in u") {
		t.Errorf("mask %v, %v\n%s", c.Data.Mask, err, notes)
	}
}

// A number far from all others that programs write for missing values is refused, with settings that leave it out or
// take it as it is.
func TestNumbersForMissingValues(t *testing.T) {
	for _, missing := range []float64{-9999, 1e20, float64(float32(9.969209968386869e36))} {
		a, u := pairsOf(0, tried, points)
		u.Data[3*points+5] = missing
		arrays := map[string]npy.Array{"a": a, "u": u}
		_, _, err := readingOf(t, arrays)
		if err == nil || !strings.Contains(err.Error(), "in 1 place, far from all other values") {
			t.Fatalf("%g: %v", missing, err)
		}
		_, rest, _ := strings.Cut(err.Error(), "--set ")
		setting, _, _ := strings.Cut(rest, " ")
		c, notes, err := readingOf(t, arrays, setting)
		if err != nil || c.Data.Train+c.Data.Test != tried-1 || !strings.Contains(notes, "1 of 60 pairs left out") {
			t.Errorf("%s: %d pairs, %v\n%s", setting, c.Data.Train+c.Data.Test, err, notes)
		}
		if c, _, err := readingOf(t, arrays, "data.missing=none"); err != nil || c.Data.Train+c.Data.Test != tried {
			t.Errorf("%g as a value: %v", missing, err)
		}
	}
	a, u := pairsOf(0, tried, points)
	for i := range u.Data {
		u.Data[i] = -9990 - 10*u.Data[i]*u.Data[i]
	}
	u.Data[7] = -9999
	if _, _, err := readingOf(t, map[string]npy.Array{"a": a, "u": u}); err != nil {
		t.Errorf("-9999 among values like it: %v", err)
	}
	_, _, err := readingOf(t, map[string]npy.Array{"a": a, "u": u}, "data.missing=nothing")
	if err == nil || !strings.Contains(err.Error(), "must be a number, or none") {
		t.Errorf("data.missing=nothing: %v", err)
	}
}

// Square waves are periodic although no function happens to jump at its first or last step; ramps are not.
func TestSquareWavesArePeriodic(t *testing.T) {
	square := func(shift int) npy.Array {
		return filled(func(p []int) float64 {
			x := (p[1] + shift + 200 - 7 - p[0]%90) % 200
			if x < 90 {
				return 1
			}
			return -1
		}, tried, 200)
	}
	a := square(0)
	for i := range tried { // two of the functions jump from their last value to the first
		if i == 3 || i == 9 {
			for x := range 90 {
				a.Data[i*200+x] = 1
				a.Data[i*200+199-x] = -1
			}
		}
	}
	c, notes, err := readingOf(t, map[string]npy.Array{"a": a, "u": square(50)})
	if err != nil || !strings.Contains(notes, "periodic functions") {
		t.Errorf("boundary %s, %v\n%s", c.Data.Boundary, err, notes)
	}
}

// inOrder returns an array of functions whose axes stand in an order of letters, with their lengths: n counts pairs, c
// channels, x and y points.
func inOrder(order string, lengths map[byte]int, value func(i, channel int, x, y float64) float64) npy.Array {
	shape := make([]int, len(order))
	for d := range shape {
		shape[d] = lengths[order[d]]
	}
	return filled(func(p []int) float64 {
		position := func(letter byte) int {
			if d := strings.IndexByte(order, letter); d >= 0 {
				return p[d]
			}
			return 0
		}
		return value(position('n'), position('c'), at(position('x'), lengths['x']), at(position('y'), max(2, lengths['y'])))
	}, shape...)
}

// Whichever axes count pairs, channels and points: the reading is the one that values, coordinates and times speak for, and
// what they leave open is called a guess, with the setting that reads the file the other way.
func TestAxesByValues(t *testing.T) {
	function := func(i, channel int, x, y float64) float64 { return smooth(i+50*channel, x) }
	field := func(i, channel int, x, y float64) float64 {
		return smooth(i+50*channel, x) + 2*smooth(i+37+50*channel, y)
	}
	const few, many, square, oblong = 3, 40, 25, 13
	of := func(n, y int) map[byte]int { return map[byte]int{'n': n, 'x': square, 'y': y, 'c': 2} }
	three := map[byte]int{'n': square, 'x': square, 'c': few}
	places := filled(func(p []int) float64 { return at(p[0], square) }, square)
	numbers := filled(func(p []int) float64 { return coefficient(p[0], 1) }, few)
	random := filled(func(p []int) float64 { return coefficient(p[0], p[1]) }, many, few)
	states := filled(func(p []int) float64 { // of three waves at times
		return math.Sin(2*math.Pi*(float64(p[1])/square-0.02*float64(p[0])) + float64(p[2]))
	}, square+1, square, few)
	after := npy.Array{Shape: npy.Shape{square, square, few}, Data: states.Data[square*few:]}
	before := npy.Array{Shape: after.Shape, Data: states.Data[:len(after.Data)]}
	for name, test := range map[string]struct {
		a, u   npy.Array
		more   []string // names of coordinates
		axes   string
		says   string
		beside string // the setting of the runner-up
	}{
		"few fields, last": {inOrder("xyn", of(few, square), field), inOrder("xyn", of(few, square), field), nil,
			"xyn->xyn", "3 pairs on 25 x 25 points, because values are as smooth", "data.axes='nxc->nxc'"},
		"few fields, last, with places": {inOrder("xyn", of(few, square), field), inOrder("xyn", of(few, square), field),
			[]string{"x", "y"}, "xyn->xyn", "by the coordinates in the file", "data.axes='nxc->nxc'"},
		"few fields, last, and first": {inOrder("xyn", of(few, square), field), inOrder("nxy", of(few, square), field), nil,
			"xyn->nxy", "this is a guess", "data.axes='nxc->cxn'"},
		"few fields, first": {inOrder("nxy", of(few, square), field), inOrder("nxy", of(few, square), field), nil,
			"nxy->nxy", "", ""},
		"few fields of an edge, last": {inOrder("xn", of(few, square), function), inOrder("xyn", of(few, square), field), nil,
			"xn->xyn", "this is a guess", "data.axes='nc->nxc'"},
		"few fields to numbers": {inOrder("xyn", of(few, square), field), numbers, nil, "xyn->n", "", ""},
		"numbers to few fields": {numbers, inOrder("xyn", of(few, square), field), nil, "n->xyn", "", ""},
		"few oblong fields, last": {inOrder("xyn", of(few, oblong), field), inOrder("xyn", of(few, oblong), field), nil,
			"nxc->nxc", "so that they may be 3 pairs on 25 x 13 points", "data.axes='xyn->xyn'"},
		"many fields, last": {inOrder("xyn", of(many, square), field), inOrder("xyn", of(many, square), field), nil,
			"xyn->xyn", "", ""},
		"many oblong fields, last": {inOrder("xyn", of(many, oblong), field), inOrder("xyn", of(many, oblong), field), nil,
			"xyn->xyn", "by the smoothness", ""},
		"a cube of fields, last": {inOrder("xyn", of(square, square), field), inOrder("xyn", of(square, square), field), nil,
			"xyn->xyn", "by the smoothness", ""},
		"fields in the middle": {inOrder("xny", of(many, square), field), inOrder("xny", of(many, square), field), nil,
			"xny->xny", "by the smoothness", ""},
		"few fields in the middle": {inOrder("xny", of(few, square), field), inOrder("xny", of(few, square), field), nil,
			"xny->xny", "by the smoothness", ""},
		"fields with channels, last": {inOrder("cxyn", of(many, square), field), inOrder("xyn", of(many, square), field), nil,
			"cxyn->xyn", "", ""},
		"few fields with channels": {inOrder("xycn", of(few, square), field), inOrder("xycn", of(few, square), field), nil,
			"xycn->xycn", "3 pairs with 2 channels are a guess; otherwise, for 2 pairs with 3", "data.axes='xync->xync'"},
		"functions with as many channels as few": {inOrder("nxc", three, function), inOrder("nxc", three, function), nil,
			"nxc->nxc", "", ""},
		"channels before points": {inOrder("ncx", three, function), inOrder("ncx", three, function), nil, "ncx->ncx", "", ""},
		"pairs between points and channels": {inOrder("xnc", of(many, 0), function), inOrder("xnc", of(many, 0), function), nil,
			"xnc->xnc", "40 pairs on 25 points with 2 channels, by the smoothness", "data.axes='nxc->nxc'"},
		"pairs between channels and points": {inOrder("cnx", of(many, 0), function), inOrder("cnx", of(many, 0), function), nil,
			"cnx->cnx", "40 pairs on 25 points with 2 channels, by the smoothness", "data.axes='cxn->cxn'"},
		"states at times": {before, after, nil, "nxc->nxc", "", ""},
		"few functions, last": {inOrder("xn", of(few, 0), function), inOrder("xn", of(few, 0), function), nil,
			"xn->xn", "3 functions on 25 points, because values are smooth", "--set data.points=none"},
		"few functions, last, with places": {inOrder("xn", of(few, 0), function), inOrder("xn", of(few, 0), function),
			[]string{"x"}, "xn->xn", "by the coordinates in the file", ""},
		"few functions, first": {inOrder("nx", of(few, 0), function), inOrder("nx", of(few, 0), function), nil, "nx->nx", "", ""},
		"many functions, last": {inOrder("xn", of(many, 0), function), inOrder("xn", of(many, 0), function), nil,
			"xn->xn", "by the smoothness", ""},
		"as many functions as points, last": {inOrder("xn", of(square, 0), function), inOrder("xn", of(square, 0), function), nil,
			"xn->xn", "by the smoothness", ""},
		"numbers alone": {random, random, nil, "nc->nc", "pairs of numbers", ""},
	} {
		arrays := map[string]npy.Array{"a": test.a, "u": test.u}
		for _, name := range test.more {
			arrays[name] = places
		}
		c, notes, err := readingOf(t, arrays)
		if err != nil {
			notes += err.Error()
		}
		if c.Data.Axes != test.axes || !strings.Contains(notes, test.says) || !strings.Contains(notes, test.beside) {
			t.Errorf("%s: axes %q, %v\n%s", name, c.Data.Axes, err, notes)
		}
		if test.says == "" && (strings.Contains(notes, "guess") || strings.Contains(notes, "may be")) {
			t.Errorf("%s is certain, not a guess:\n%s", name, notes)
		}
		setting := strings.Trim(strings.ReplaceAll(test.beside, "'", ""), " ")
		if setting == "" {
			continue
		}
		setting = strings.TrimPrefix(setting, "--set ")
		if _, notes, err := readingOf(t, arrays, "data.input=a", "data.output=u", setting); err != nil || strings.Contains(notes, "guess") {
			t.Errorf("%s, with %s: %v\n%s", name, setting, err, notes)
		}
	}
}

// One array has both sides of all pairs, with the samples along its last axis.
func TestSidesInOneArrayWithPairsLast(t *testing.T) {
	const square = 25
	value := func(n, side int, x, y float64) float64 { return smooth(n+50*side, x) + 2*smooth(n+37, y) }
	for order, axes := range map[string]string{"xync": "xyns", "xycn": "xysn", "cxyn": "sxyn", "xnc": "xns", "xcn": "xsn"} {
		for _, count := range []int{3, square, 40} {
			a := inOrder(order, map[byte]int{'n': count, 'c': 2, 'x': square, 'y': square}, value)
			file := arraytest.NPY(t, filepath.Join(t.TempDir(), "own.npy"), a)
			c, files, err := Configuration(t.Context(), file)
			noError(t, errors.Join(err, files.Close()))
			if c.Data.Axes != axes {
				t.Errorf("%d pairs in the order %s: axes %s", count, order, c.Data.Axes)
			}
		}
	}
}
