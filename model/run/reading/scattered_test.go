package reading

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// arraysFile writes named arrays as an .npz file.
func arraysFile(t *testing.T, arrays map[string]npy.Array) string {
	t.Helper()
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), arrays)
}

// scatteredPairs returns points in the unit square, and functions there.
func scatteredPairs(pairs, count int) (xy, a, u npy.Array) {
	r := rand.New(rand.NewPCG(1, 1))
	xy = npy.Array{Shape: npy.Shape{count, 2}, Data: make([]float64, 2*count)}
	for i := range xy.Data {
		xy.Data[i] = r.Float64()
	}
	a = npy.Array{Shape: npy.Shape{pairs, count}, Data: make([]float64, pairs*count)}
	u = npy.Array{Shape: npy.Shape{pairs, count}, Data: make([]float64, pairs*count)}
	for i := range pairs {
		c, d := r.NormFloat64(), r.NormFloat64()
		for x := range count {
			v := c*math.Cos(math.Pi*xy.Data[2*x]) + d*math.Cos(math.Pi*xy.Data[2*x+1])
			a.Data[i*count+x] = v
			u.Data[i*count+x] = math.Tanh(v)
		}
	}
	return xy, a, u
}

func found(t *testing.T, name string, settings ...string) Interpretation {
	t.Helper()
	f, err := exchange.Open(context.Background(), name)
	filetest.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	r, err := Find(context.Background(), f, nil, settings)
	filetest.NoError(t, err)
	return r
}

func TestValuesAtPointsAreReadWithTheirPlaces(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	r := found(t, arraysFile(t, map[string]npy.Array{"a": a, "u": u, "xy": xy}))
	d := r.Config.Data
	if r.Config.Problem != config.Points || d.Points != "xy" || d.Axes != "np->np" || d.Grid != 60 {
		t.Fatalf("read as %s with data.points = %q, axes %q, grid %d", r.Config.Problem, d.Points, d.Axes, d.Grid)
	}
	var train, test dataset.Pairs
	_, err := r.files.Read(context.Background(), r.Config, &train, &test)
	filetest.NoError(t, err)
	cloud := train.Inputs.Domain.Cloud
	if got := cloud.Outputs().Place(7); got[0] != xy.Data[14] || got[1] != xy.Data[15] {
		t.Errorf("point 7 is at %v, want %v", got, xy.Data[14:16])
	}
	if train.Outputs.Domain.Cloud != test.Inputs.Domain.Cloud {
		t.Error("training and test pairs have other points")
	}
}

func TestPointsOfARegularGridArePutInItsOrder(t *testing.T) {
	const side = 12
	_, a, u := scatteredPairs(40, side*side)
	order := rand.New(rand.NewPCG(2, 2)).Perm(side * side)
	xy := npy.Array{Shape: npy.Shape{side * side, 2}, Data: make([]float64, 2*side*side)}
	for place, point := range order {
		xy.Data[2*point] = float64(place / side)
		xy.Data[2*point+1] = float64(place % side)
		for i := range 40 {
			v := math.Cos(float64(i+1)*float64(place/side)/side) + float64(i%3)*float64(place%side)/side
			a.Data[i*side*side+point] = v
			u.Data[i*side*side+point] = v * v
		}
	}
	r := found(t, arraysFile(t, map[string]npy.Array{"a": a, "u": u, "xy": xy}))
	if r.Config.Problem != config.Fields || r.Config.Data.Input != "a.grid(xy)" {
		t.Fatalf("read as %s of %s, want fields in the order of the grid", r.Config.Problem, r.Config.Data.Input)
	}
	var train dataset.Pairs
	_, err := r.files.Read(context.Background(), r.Config, &train, nil)
	filetest.NoError(t, err)
	f := train.Inputs.At(0)
	for i := 1; i < side; i++ { // smooth along the first axis
		if math.Abs(f[i*train.Inputs.Points]-f[(i-1)*train.Inputs.Points]) > 4 {
			t.Fatal("values are not in the order of the grid")
		}
	}
}

func TestInputsMayHaveOtherPointsThanOutputs(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	own := npy.Array{Shape: npy.Shape{40, 25}, Data: a.Data[:40*25]}
	r := found(t, arraysFile(t, map[string]npy.Array{"a": own, "u": u, "xy": xy}))
	if d := r.Config.Data; d.Axes != "nq->np" || d.Grid != 25+60 {
		t.Fatalf("read with axes %s on %d points, want nq->np on 25 and 60", d.Axes, d.Grid)
	}
	params := npy.Array{Shape: npy.Shape{40, 3}, Data: a.Data[:40*3]}
	r = found(t, arraysFile(t, map[string]npy.Array{"params": params, "u": u, "xy": xy}))
	if d := r.Config.Data; d.Axes != "nc->np" || d.In != 3 {
		t.Fatalf("read with axes %s and %d numbers, want nc->np and 3", d.Axes, d.In)
	}
}

func TestPointsThatMoveWithThePairAreInputs(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	moving := npy.Array{Shape: npy.Shape{60, 2, 40}, Data: make([]float64, 60*2*40)}
	turned := npy.Array{Shape: npy.Shape{60, 40}, Data: make([]float64, 60*40)}
	for i := range 40 {
		for x := range 60 {
			for k := range 2 {
				moving.Data[(x*2+k)*40+i] = xy.Data[2*x+k] * (1 + 0.1*a.Data[i*60])
			}
			turned.Data[x*40+i] = u.Data[i*60+x]
		}
	}
	r := found(t, arraysFile(t, map[string]npy.Array{"XY": moving, "u": turned}))
	if d := r.Config.Data; d.Input != "XY" || d.Points != "XY" || d.Axes != "pcn->pn" || d.In != 2 {
		t.Fatalf("read %q at %q with axes %s", d.Input, d.Points, d.Axes)
	}
	if !strings.Contains(strings.Join(r.Notes, " "), "points of each pair differ") {
		t.Errorf("notes do not say that points move: %q", r.Notes)
	}
}

func TestPlacesThatSuitNoOutputsAreRefused(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	xy.Shape = npy.Shape{59, 2}
	xy.Data = xy.Data[:118]
	f, err := exchange.Open(context.Background(), arraysFile(t, map[string]npy.Array{"a": a, "u": u, "xy": xy}))
	filetest.NoError(t, err)
	defer f.Close()
	_, err = Find(context.Background(), f, nil, []string{"data.points=xy", "data.input=a", "data.output=u"})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "data.points") {
		t.Errorf("got %v, want a refusal that names data.points", err)
	}
}

// Rows that repeat a function for each place of its output are gathered, if all functions have the same places.
func TestRowsOfPlacesAreGathered(t *testing.T) {
	const functions, places = 20, 12
	a := npy.Array{Shape: npy.Shape{functions * places, 9}}
	at := npy.Array{Shape: npy.Shape{functions * places, 1}}
	u := npy.Array{Shape: npy.Shape{functions * places, 1}}
	for i := range functions * places {
		x := float64(i%places*i%places) / places
		for k := range 9 {
			a.Data = append(a.Data, math.Sin(float64(i/places*(k+1))))
		}
		at.Data = append(at.Data, x)
		u.Data = append(u.Data, math.Sin(float64(i/places)+x))
	}
	name := arraytest.NPZ(t, filepath.Join(t.TempDir(), "rows.npz"), map[string]npy.Array{"branch": a, "trunk": at, "y": u})
	d := found(t, name).Config.Data
	if d.Input != "branch[::12]" || d.Output != "y[:, 0].reshape(-1, 12)" || d.Points != "trunk[:12]" || d.Axes != "nq->np" {
		t.Errorf("read %q -> %q at %q with axes %s", d.Input, d.Output, d.Points, d.Axes)
	}
	at.Data[places] += 0.5 // the second function has another place
	name = arraytest.NPZ(t, filepath.Join(t.TempDir(), "other.npz"), map[string]npy.Array{"branch": a, "trunk": at, "y": u})
	if d := found(t, name).Config.Data; d.Points != "" {
		t.Errorf("functions with different places are gathered at %q", d.Points)
	}
}

// One array of values at points may hold both sides, or the states of trajectories.
func TestOneArrayAtPoints(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	of := func(values func(pair, state, point int) float64, states int) npy.Array {
		return filled(func(p []int) float64 { return values(p[0], p[1], p[2]) }, 40, states, 60)
	}
	states := of(func(i, time, k int) float64 {
		return a.Data[60*i+k]*(1-float64(time)/10) + float64(time)*u.Data[60*i+k]
	}, 5)
	sides := filled(func(p []int) float64 {
		if p[2] == 0 {
			return a.Data[60*p[0]+p[1]]
		}
		return u.Data[60*p[0]+p[1]]
	}, 40, 60, 2)
	for _, test := range []struct {
		data          npy.Array
		input, output string
	}{{states, "data[:, 0]", "data[:, -1]"}, {sides, "data[:, :, 0]", "data[:, :, -1]"}} {
		d := found(t, arraysFile(t, map[string]npy.Array{"data": test.data, "coords": xy})).Config.Data
		if d.Input != test.input || d.Output != test.output || d.Points != "coords" {
			t.Errorf("read %q -> %q at %q, want %q -> %q", d.Input, d.Output, d.Points, test.input, test.output)
		}
	}
}

// columns returns a matrix with rows and columns exchanged.
func columns(a npy.Array) npy.Array {
	b := npy.Array{Shape: npy.Shape{a.Shape[1], a.Shape[0]}}
	for k := range a.Shape[1] {
		for i := range a.Shape[0] {
			b.Data = append(b.Data, a.Data[i*a.Shape[1]+k])
		}
	}
	return b
}

// Points and cells have the names and forms that programs for meshes give them.
func TestCellsComeInManyForms(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	line := func(axis int) npy.Array {
		return npy.Array{Shape: npy.Shape{60}, Data: columns(xy).Data[axis*60:][:60]}
	}
	triangles := npy.Array{Shape: npy.Shape{58, 3}}
	fromOne := npy.Array{Shape: npy.Shape{58, 4}} // with the number of the part of the domain
	for i := range 58 {
		k := float64(i)
		triangles.Data = append(triangles.Data, k, k+1, k+2)
		fromOne.Data = append(fromOne.Data, k+1, k+2, k+3, 1)
	}
	outside := npy.Array{Shape: triangles.Shape, Data: append([]float64{70}, triangles.Data[1:]...)}
	for want, arrays := range map[string]map[string]npy.Array{
		"points are at p, cells of t (4, 58)": {
			"p": columns(xy), "t": columns(fromOne), "e": {Shape: npy.Shape{7, 9}, Data: make([]float64, 63)},
		},
		"points are at Mesh2_node_x,Mesh2_node_y, cells of Mesh2_face_nodes (58, 3)": {
			"Mesh2_node_x": line(0), "Mesh2_node_y": line(1), "Mesh2_face_nodes": triangles,
		},
		"points are at coordinates, cells of topology (58, 3)": {"coordinates": xy, "topology": triangles},
		"points are at Nodes, cells of Elements (3, 58)":       {"Nodes": columns(xy), "Elements": columns(triangles)},
		"cells (58, 3) is not used as cells, because it has numbers from 1 to 70": {
			"xy": xy, "cells": outside,
		},
	} {
		arrays["a"] = a
		arrays["u"] = u
		r := found(t, arraytest.NPZ(t, filepath.Join(t.TempDir(), "mesh.npz"), arrays))
		notes := strings.Join(r.Notes, " ")
		if !strings.Contains(notes, want) || !strings.Contains(notes, "40 pairs, 60 points in the plane: inputs a") {
			t.Errorf("got %q, want %q", notes, want)
		}
	}
}

// Four corners in space are those of tetrahedra, which have a volume, or those of quadrilaterals.
func TestCellsInSpaceAreTetrahedraOrQuadrilaterals(t *testing.T) {
	_, a, u := scatteredPairs(40, 60)
	for what, height := range map[string]float64{"tetrahedra": 1, "quadrilaterals": 1e-4} {
		xyz := npy.Array{Shape: npy.Shape{60, 3}}
		cells := npy.Array{Shape: npy.Shape{15, 4}}
		for i := range 60 {
			corner := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}[i%4]
			xyz.Data = append(xyz.Data, float64(2*(i/4))+corner[0], corner[1], height*float64(i%2)+0.01*float64(i/4))
			cells.Data = append(cells.Data, float64(i))
		}
		r := found(t, arraysFile(t, map[string]npy.Array{"a": a, "u": u, "points": xyz, "cells": cells}))
		places := r.files.located[0].Cloud.Outputs()
		if want := map[string]int{"tetrahedra": 4, "quadrilaterals": 3}[what]; places.Corners != want {
			t.Errorf("%s have %d corners", what, places.Corners)
		}
	}
}

// Programs that learn from (points, channels) put the coordinates before the values.
func TestCoordinatesBeforeTheValuesAreFound(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	x := npy.Array{Shape: npy.Shape{40, 60, 3}}
	for i, v := range a.Data {
		point := i % 60
		x.Data = append(x.Data, xy.Data[2*point], xy.Data[2*point+1], v)
	}
	d := found(t, arraysFile(t, map[string]npy.Array{"x": x, "y": u})).Config.Data
	if d.Points != "x[0, :, :2]" || d.Input != "x[:, :, 2:]" || d.Output != "y" || d.Grid != 60 {
		t.Errorf("read %s -> %s at %s, %d points", d.Input, d.Output, d.Points, d.Grid)
	}
}

// antiderivatives writes functions with several places of their own each, in random order: rows of branch, trunk and y.
func antiderivatives(t *testing.T, functions, places int) string {
	t.Helper()
	const points = 11
	r := rand.New(rand.NewPCG(2, 2))
	count := functions * places
	branch := npy.Array{Shape: npy.Shape{count, points}, Data: make([]float64, count*points)}
	trunk := npy.Array{Shape: npy.Shape{count, 1}, Data: make([]float64, count)}
	y := npy.Array{Shape: npy.Shape{count, 1}, Data: make([]float64, count)}
	wave := r.Perm(count) // function i/places is cos(w x), and y its integral from 0 to the place
	for i, row := range wave {
		w := 1 + 3*float64(i/places)/float64(functions)
		for k := range points {
			branch.Data[row*points+k] = math.Cos(w * float64(k) / (points - 1))
		}
		place := r.Float64()
		trunk.Data[row] = place
		y.Data[row] = math.Sin(w*place) / w
	}
	return arraysFile(t, map[string]npy.Array{"branch": branch, "trunk": trunk, "y": y})
}

// Rows with places of their own are inputs of a function and a place. A function that several rows share is in the training
// pairs or in the test pairs, and its rows are left out together.
func TestRowsThatShareAFunctionStayTogether(t *testing.T) {
	const functions, places = 30, 10
	for _, sizes := range [][]string{nil, {"data.train=200"}, {"data.test=77"}} {
		r := found(t, antiderivatives(t, functions, places), sizes...)
		d := r.Config.Data
		if d.Input != "branch,trunk" || d.Output != "y" || d.Groups != "branch" {
			t.Fatalf("read %q -> %q in groups of %q", d.Input, d.Output, d.Groups)
		}
		var train, test dataset.Pairs
		groups, err := r.files.Read(t.Context(), r.Config, &train, &test)
		filetest.NoError(t, err)
		if train.Count() != d.Train || test.Count() != d.Test || groups.Shared > 0 {
			t.Errorf("%d and %d pairs, %d and %d are wanted: %s", train.Count(), test.Count(), d.Train, d.Test, groups.Sentence)
		}
		label := map[float64]int{} // of training pairs, by a value of their function
		for i, l := range train.Groups {
			value := train.Inputs.Of(i, 0)[10]
			known, ok := label[value]
			if ok && known != l {
				t.Errorf("pair %d has label %d, another one of its function %d", i, l, known)
			}
			label[value] = l
		}
		for i := range test.Count() {
			if _, ok := label[test.Inputs.Of(i, 0)[10]]; ok {
				t.Errorf("test pair %d has a function of a training pair", i)
			}
		}
	}
}

// Numbers of training and test pairs that would divide a group are refused, and the remedy in the message works.
func TestSplitInsideAGroupIsRefused(t *testing.T) {
	name := antiderivatives(t, 30, 10)
	f, err := exchange.Open(t.Context(), name)
	filetest.NoError(t, err)
	defer f.Close()
	_, err = Find(t.Context(), f, nil, []string{"data.train=225", "data.test=75"})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "set data.train to at most 220, or data.test to 80") {
		t.Errorf("got %v", err)
	}
	for _, told := range []string{"data.train=220", "data.test=80"} {
		if d := found(t, name, told).Config.Data; d.Train != 220 || d.Test != 80 && told == "data.test=80" {
			t.Errorf("%s: %d training pairs, %d test pairs", told, d.Train, d.Test)
		}
	}
}

// Coordinates come as columns, with a third one that is 0, or with an axis for each pair; grids of any axes are points.
func TestCoordinatesComeInManyForms(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	x := npy.Array{Shape: npy.Shape{60, 1}}
	y := npy.Array{Shape: npy.Shape{60, 1}}
	flat := npy.Array{Shape: npy.Shape{60, 3}}
	for i := range 60 {
		x.Data = append(x.Data, xy.Data[2*i])
		y.Data = append(y.Data, xy.Data[2*i+1])
		flat.Data = append(flat.Data, xy.Data[2*i], xy.Data[2*i+1], 0)
	}
	file := func(arrays map[string]npy.Array) string {
		arrays["a"] = a
		arrays["u"] = u
		return arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), arrays)
	}
	for points, name := range map[string]string{"xx,yy": file(map[string]npy.Array{"xx": x, "yy": y}),
		"coords": file(map[string]npy.Array{"coords": flat})} {
		r := found(t, name)
		if r.Config.Data.Points != points || !strings.Contains(strings.Join(r.Notes, " "), "60 points in the plane") {
			t.Errorf("%s: read at %q: %q", points, r.Config.Data.Points, r.Notes)
		}
	}
	volume := npy.Array{Shape: npy.Shape{40, 5, 4, 3, 2}, Data: make([]float64, 40*5*4*3*2)}
	for i := range volume.Data {
		volume.Data[i] = math.Sin(float64(i * i))
	}
	name := arraytest.NPZ(t, filepath.Join(t.TempDir(), "volume.npz"), map[string]npy.Array{"input": a, "output": volume})
	r := found(t, name, "data.points=axes")
	if d := r.Config.Data; d.Axes != "nq->npppc" || d.Grid != 60+5*4*3 || d.Out != 2 {
		t.Errorf("read with axes %s on %d points with %d channels", d.Axes, d.Grid, d.Out)
	}
}

// Test pairs in arrays of their own are used, at the points of training.
func TestTestPairsAtPointsAreFound(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	part := func(of npy.Array, from, to int) npy.Array {
		return npy.Array{Shape: npy.Shape{to - from, 60}, Data: of.Data[from*60 : to*60]}
	}
	r := found(t, arraytest.NPZ(t, filepath.Join(t.TempDir(), "both.npz"), map[string]npy.Array{"coords": xy,
		"x_train": part(a, 0, 30), "y_train": part(u, 0, 30), "x_test": part(a, 30, 40), "y_test": part(u, 30, 40)}))
	if d := r.Config.Data; d.TestInput != "x_test" || d.TestOutput != "y_test" || d.Train != 30 || d.Test != 10 {
		t.Errorf("%d training pairs, %d test pairs of %q and %q", d.Train, d.Test, d.TestInput, d.TestOutput)
	}
	var train, test dataset.Pairs
	_, err := r.files.Read(context.Background(), r.Config, &train, &test)
	filetest.NoError(t, err)
	if test.Count() != 10 || test.Inputs.Domain != train.Inputs.Domain {
		t.Error("test pairs have other points than training pairs")
	}
}

// Numbers that stand for missing values are left out of values at points as well, when data.missing names them.
func TestMissingValuesAtPoints(t *testing.T) {
	xy, a, u := scatteredPairs(40, 60)
	u.Data[3*60+5] = -9999
	arrays := map[string]npy.Array{"a": a, "u": u, "xy": xy}
	_, _, err := readingOf(t, arrays, "data.points=xy", "data.input=a", "data.output=u")
	if err == nil || !strings.Contains(err.Error(), "--set data.missing=-9999") {
		t.Fatalf("%v", err)
	}
	c, notes, err := readingOf(t, arrays, "data.points=xy", "data.input=a", "data.output=u", "data.missing=-9999")
	if err != nil || c.Data.Train+c.Data.Test != 39 || !strings.Contains(notes, "1 of 40 pairs left out") {
		t.Errorf("%d pairs, %v\n%s", c.Data.Train+c.Data.Test, err, notes)
	}
}

// Fields that are stored line after line have their values at x and y, or X and Y of a mesh, whose steps differ; either
// may run first. They were taken for functions of one variable, and for fields with equal steps.
func TestFlatFieldsOfUnevenSteps(t *testing.T) {
	const rows, columns = 12, 16
	uneven := func(i, count int) float64 { return math.Pow(float64(i)/float64(count-1), 1.5) }
	value := func(pair, i, j int) float64 {
		return smooth(pair, uneven(i, rows)) + 2*smooth(pair+37, uneven(j, columns))
	}
	byRows := filled(func(p []int) float64 { return value(p[0], p[1]/columns, p[1]%columns) }, tried, rows*columns)
	byColumns := filled(func(p []int) float64 { return value(p[0], p[1]%rows, p[1]/rows) }, tried, rows*columns)
	x := filled(func(p []int) float64 { return uneven(p[0], rows) }, rows)
	y := filled(func(p []int) float64 { return uneven(p[0], columns) }, columns)
	meshX := filled(func(p []int) float64 { return uneven(p[0], rows) }, rows, columns)
	meshY := filled(func(p []int) float64 { return uneven(p[1], columns) }, rows, columns)
	for _, test := range []struct {
		name   string
		arrays map[string]npy.Array
		input  string
		points string
	}{
		{"x, y", map[string]npy.Array{"a": byRows, "u": byRows, "x": x, "y": y}, "a.reshape(-1, 12, 16)", "x,y"},
		{"columns first", map[string]npy.Array{"a": byColumns, "u": byColumns, "x": x, "y": y}, "a.reshape(-1, 16, 12)", "x,y"},
		{"mesh", map[string]npy.Array{"a": byRows, "u": byRows, "X": meshX, "Y": meshY}, "a.reshape(-1, 12, 16)", "X,Y"},
		{"mesh, columns first", map[string]npy.Array{"a": byColumns, "u": byColumns, "X": meshX, "Y": meshY},
			"a.reshape(-1, 16, 12)", "X.T,Y.T"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, _, err := readingOf(t, test.arrays)
			noError(t, err)
			if c.Data.Input != test.input || c.Data.Points != test.points {
				t.Errorf("inputs %s at %s, want %s at %s", c.Data.Input, c.Data.Points, test.input, test.points)
			}
			named, _, err := readingOf(t, test.arrays, "data.points="+test.points)
			noError(t, err)
			if named.Data.Input != test.input {
				t.Errorf("with points named: inputs %s, want %s", named.Data.Input, test.input)
			}
		})
	}
}
