package trained

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/model/trained/unlike"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// atPoints returns pairs of functions of a cloud.
func atPoints(cloud points.Cloud, pairs int) dataset.Pairs {
	domain := grid.Domain{Dims: 1, Cloud: cloud}
	p := dataset.Pairs{Inputs: grid.NewBatch(domain, cloud.Count(), pairs), Outputs: grid.NewBatch(domain, cloud.Count(), pairs)}
	source := draw.Stream(3, draw.InputTrain, 0)
	for i := range pairs {
		in := cloud.OfInput(p.Inputs.At(i))
		mean := 0.0
		for x := range in {
			in[x] = source.NormFloat64()
			mean += in[x] / float64(len(in))
		}
		out := cloud.OfOutput(p.Outputs.At(i))
		for x := range out {
			out[x] = 1 + mean*float64(x) + in[x%len(in)]*in[0]
		}
	}
	return p
}

// clouds are points with common places of both sides, and with inputs at points of their own.
func clouds() map[string]points.Cloud {
	source := draw.Stream(4, draw.InputTrain, 0)
	at := make([]float64, 2*30)
	for i := range at {
		at[i] = source.Float64()
	}
	plane, _ := points.Weigh(2, at, 30, 0, nil)
	own := points.Equal(0, nil, 7)
	return map[string]points.Cloud{"common": points.New(nil, plane), "apart": points.New(&own, plane)}
}

// Models of functions at points are read as they were written, predict in NumPy the same, and refuse other points.
func TestModelsAtPointsOfAnyGeometry(t *testing.T) {
	var n inNumPy
	for name, cloud := range clouds() {
		p := atPoints(cloud, 24)
		methods := method.All(p.Inputs.Domain, p.Outputs.Domain, config.AutoSymmetry)
		if cloud.Why() == "" {
			c, err := config.PresetByName(config.Points)
			filetest.NoError(t, err)
			c.Features.Count = 16
			c.Train.Grid = cloud.Count()
			c.Data.Grid = cloud.Count()
			drawn, err := feature.Scattered(t.Context(), setup.Features(c), cloud, 16, 2)
			filetest.NoError(t, err)
			methods = append(methods, random.Random{Config: c, Drawn: drawn, Fine: p}.Method())
		}
		// see TestLayersAtPointsOfAnyGeometry, TestCorrectionsAtPointsOfAnyGeometry
		learnsRests := func(m operator.Method) bool { return m.Name == config.Layers || m.Name == config.Corrected }
		methods = slices.DeleteFunc(methods, learnsRests)
		if want := map[string]int{"common": 4, "apart": 3}[name]; len(methods) != want {
			t.Fatalf("%s: %d methods learn at points, want %d", name, len(methods), want)
		}
		for _, m := range methods {
			name := name + ", " + m.Name
			learned, err := m.Train(t.Context(), p, operator.Options{Workers: 2, Seed: 1})
			filetest.NoError(t, err)
			training, err := unlike.New(t.Context(), p.Inputs, nil)
			filetest.NoError(t, err)
			model := Model{Operator: learned, Problem: config.Points, Grid: cloud.Count(), Training: training}
			read := reread(t, model)
			if read.Domain() != p.Inputs.Domain {
				t.Errorf("%s: the points of the model that was read are others", name)
			}
			want := predict(t, model, p.Inputs)
			if got := predict(t, read, p.Inputs); !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: the model that was read predicts otherwise", name)
			}
			if cloud.Apart() {
				continue // NumPy returns the values at the points of outputs alone
			}
			n.add(t, name, read, p.Inputs)
			other := atPoints(clouds()["apart"], 2)
			if _, err := read.Predict(t.Context(), other.Inputs, 1, nil); !fault.BlamesInput(err) || !strings.Contains(err.Error(), "points") {
				t.Errorf("%s: inputs at other points: %v", name, err)
			}
		}
	}
	n.compare(t, trainedTolerance)
}

// Local layers learn a law that holds at every point, on a line, in the plane and in space, are read as they were written,
// and predict in NumPy the same.
func TestLayersAtPointsOfAnyGeometry(t *testing.T) {
	const count, pairs = 32, 24
	var n inNumPy
	source := draw.Stream(5, draw.InputTrain, 0)
	layers, _ := method.Named(config.Layers, random.Random{})
	kernels, _ := method.Named("kernel", random.Random{})
	for axes := 1; axes <= points.MostAxes; axes++ {
		name := []string{1: "line", 2: "plane", 3: "space"}[axes]
		at := make([]float64, axes*count)
		for i := range at {
			at[i] = source.Float64()
		}
		places, _ := points.Weigh(axes, at, count, 0, nil)
		p := atPoints(points.New(nil, places), pairs)
		for i := range pairs {
			slope := source.NormFloat64()
			shift := source.NormFloat64()
			for x := range count {
				p.Inputs.At(i)[x] = slope*places.Place(x)[0] + shift + 0.5*source.NormFloat64()
				p.Outputs.At(i)[x] = 1 + math.Sin(2*p.Inputs.At(i)[x])
			}
		}
		o := operator.Options{Workers: 2, Seed: 1}
		learned, err := layers.Train(t.Context(), p, o)
		filetest.NoError(t, err)
		whole, err := kernels.Train(t.Context(), p, o)
		filetest.NoError(t, err)
		if learned.LeaveOneOut() > whole.LeaveOneOut()/5 {
			t.Errorf("%s: the error of layers is %.3g, that of a kernel %.3g", name, learned.LeaveOneOut(), whole.LeaveOneOut())
		}
		n.add(t, name, rereadAlike(t, name, learned, p.Inputs), p.Inputs)
	}
	n.compare(t, trainedTolerance)
}

// rereadAlike returns the model of an operator at points as it is read from its file, which predicts the same.
func rereadAlike(t *testing.T, name string, learned operator.Operator, inputs grid.Batch) Model {
	t.Helper()
	model := Model{Operator: learned, Problem: config.Points, Grid: inputs.Points}
	read := reread(t, model)
	want := predict(t, model, inputs)
	if got := predict(t, read, inputs); !slices.Equal(got.Data, want.Data) {
		t.Errorf("%s: the model that was read predicts otherwise", name)
	}
	return read
}

// Corrections lower the error of a kernel for waves by more than half: on a line with eigenfunctions that vanish where outputs
// do, in space with natural ones and two channels. They are read as they were written, and predict in NumPy the same.
func TestCorrectionsAtPointsOfAnyGeometry(t *testing.T) {
	const pairs = 60
	var n inNumPy
	corrections, _ := method.Named(config.Corrected, random.Random{})
	kernels, _ := method.Named("kernel", random.Random{})
	for _, axes := range []int{1, 3} {
		name := []string{1: "line", 3: "space"}[axes]
		p := standing(axes, pairs)
		if axes == 3 { // with two channels, natural eigenfunctions
			p = twofold(p)
		}
		o := operator.Options{Workers: 2, Seed: 1}
		learned, err := corrections.Train(t.Context(), p, o)
		filetest.NoError(t, err)
		whole, err := kernels.Train(t.Context(), p, o)
		filetest.NoError(t, err)
		if learned.LeaveOneOut() > 0.5*whole.LeaveOneOut() {
			t.Errorf("%s: the error of corrections is %.3g, that of a kernel %.3g", name, learned.LeaveOneOut(), whole.LeaveOneOut())
		}
		n.add(t, name, rereadAlike(t, name, learned, p.Inputs), p.Inputs)
	}
	n.compare(t, trainedTolerance)
}

// standing returns pairs of a and solutions of -Laplacian u - strength a u = 1 + x at 64 points near those of a grid, which
// vanish at the ends of the line.
func standing(axes, pairs int) dataset.Pairs {
	const count = 64
	source := draw.Stream(6, draw.InputTrain, axes)
	side := []int{1: 64, 3: 4}[axes]         // points along an axis
	strength := []float64{1: 25, 3: 3}[axes] // between eigenvalues of the Laplacian
	at := make([]float64, axes*count)
	isFree := make([]bool, count)
	for x := range count {
		isFree[x] = true
		place := x
		for axis := range axes {
			k := place % side
			place /= side
			isEnd := k == 0 || k == side-1
			move := 0.2 * (source.Float64() - 0.5)
			if isEnd {
				move = 0
			}
			at[x*axes+axis] = (float64(k) + move) / float64(side-1)
			if isEnd && axes < 3 {
				isFree[x] = false
			}
		}
	}
	places, _ := points.Weigh(axes, at, count, 0, nil)
	edges := points.Edges(places)
	p := atPoints(points.New(nil, places), pairs)
	for i := range pairs {
		a := p.Inputs.At(i)
		clear(a)
		for k := range 6 {
			c := source.NormFloat64() / float64(1+k)
			for x := range a {
				place := places.Place(x)
				a[x] += c * math.Cos(math.Pi*float64(k)*(place[0]+place[axes-1]/2))
			}
		}
		system := mat.NewDense(count, count, nil)
		right := mat.NewVecDense(count, nil)
		add := func(row, column int, v float64) { system.Set(row, column, system.At(row, column)+v) }
		for x := range count {
			a[x] = 1 + 0.3*math.Tanh(a[x])
			if !isFree[x] {
				system.Set(x, x, 1)
				continue
			}
			add(x, x, -strength*a[x]*places.Weights[x])
			right.SetVec(x, places.Weights[x]*(1+places.Place(x)[0]))
		}
		for _, e := range edges {
			for _, ends := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
				if isFree[ends[0]] {
					add(ends[0], ends[0], e.Conductance)
					add(ends[0], ends[1], -e.Conductance)
				}
			}
		}
		err := mat.NewVecDense(count, p.Outputs.At(i)).SolveVec(system, right)
		if err != nil {
			panic(err)
		}
	}
	return p
}

// twofold returns pairs with two channels: inputs are joined by their squares, outputs by their halves.
func twofold(p dataset.Pairs) dataset.Pairs {
	double := func(b grid.Batch, other func(v float64) float64) grid.Batch {
		twice := grid.NewBatch(b.Domain.With(2), b.Points, b.Count)
		for i := range b.Count {
			copy(twice.At(i), b.At(i))
			for x, v := range b.At(i) {
				twice.At(i)[b.Points+x] = other(v)
			}
		}
		return twice
	}
	return dataset.Pairs{
		Inputs:  double(p.Inputs, func(v float64) float64 { return v * v }),
		Outputs: double(p.Outputs, func(v float64) float64 { return v / 2 }),
	}
}
