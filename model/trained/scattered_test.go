package trained

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

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
		isLayers := func(m operator.Method) bool { return m.Name == config.Layers } // see TestLayersAtPointsOfAnyGeometry
		methods = slices.DeleteFunc(methods, isLayers)
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
			text := written(t, model)
			read, err := Read(bytes.NewReader(text), int64(len(text)))
			filetest.NoError(t, err)
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
		model := Model{Operator: learned, Problem: config.Points, Grid: count}
		text := written(t, model)
		read, err := Read(bytes.NewReader(text), int64(len(text)))
		filetest.NoError(t, err)
		want := predict(t, model, p.Inputs)
		if got := predict(t, read, p.Inputs); !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: the model that was read predicts otherwise", name)
		}
		n.add(t, name, read, p.Inputs)
	}
	n.compare(t, trainedTolerance)
}
