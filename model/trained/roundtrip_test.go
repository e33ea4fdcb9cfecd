package trained

import (
	"bytes"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// nonlinear returns random inputs on a domain, positive or not, and outputs that depend on all channels.
func nonlinear(d grid.Domain, points, count, in, out int, positive bool) dataset.Pairs {
	drawn := func(channels int, seed uint64) []grid.Batch {
		all := make([]grid.Batch, channels)
		for c := range all {
			all[c] = grid.NewBatch(d, points, count)
			grf.Measure{Tau: 3, Alpha: 4, Axis: 2, Space: d}.On(points).Draw(all[c], seed+uint64(c), draw.InputTrain, 0)
			unit := all[c].Unit()
			for x, v := range all[c].Data {
				if all[c].Data[x] = v / unit; positive {
					all[c].Data[x] = math.Exp(2 * v / unit)
				}
			}
		}
		return all
	}
	inputs, outputs := drawn(in, 1), drawn(out, 5)
	for c, u := range outputs {
		for x := range u.Data {
			a := inputs[c%in].Data[x]
			u.Data[x] = 2 + math.Sin(a) + 0.3*a*math.Tanh(inputs[(c+1)%in].Data[x])
		}
	}
	return dataset.Pairs{Inputs: grid.Stack(inputs...), Outputs: grid.Stack(outputs...)}
}

// held returns pairs of functions that vanish at the sides of their domain.
func held(pairs dataset.Pairs) dataset.Pairs {
	for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		rows, columns := b.Domain.Axes(b.Points)
		bump := func(i, count int) float64 {
			if b.Domain.Cells {
				return math.Sin(math.Pi * (float64(i) + 0.5) / float64(count))
			}
			return math.Sin(math.Pi * float64(i) / float64(count-1))
		}
		for x := range b.Data {
			b.Data[x] *= bump(x%columns, columns)
			if rows > 1 {
				b.Data[x] *= bump(x/columns%rows, rows)
			}
		}
	}
	return pairs
}

// fewFeatures returns a few random features of functions with these channels.
func fewFeatures(t *testing.T, pairs dataset.Pairs, symmetry string) random.Random {
	t.Helper()
	d, points := pairs.Inputs.Domain, pairs.Inputs.Points
	name := config.Functions
	if d.Dims == 2 {
		name = config.Fields
	}
	c := must(config.PresetByName(name))
	c.Features.Count, c.Data.Grid, c.Train.Grid, c.Data.Train = 12, points, points, pairs.Count()
	c.Data.In, c.Data.Out, c.Data.Symmetry = d.Width(), pairs.Outputs.Domain.Width(), symmetry
	if c.Data.Boundary = config.Closed; d.Periodic {
		c.Data.Boundary = config.Periodic
	}
	if d.Cells {
		c.Data.Endpoint = config.Centres
	}
	if d.Dims == 2 {
		_, c.Data.Columns = d.Axes(points)
	}
	drawn := must(feature.New(t.Context(), setup.Features(c), c.Features.Count, points, 2))
	return random.Random{Config: c, Drawn: drawn, Fine: pairs}
}

// Tests hold little and allocate much: collecting garbage less often saves a fifth to a third of their time.
var _ = debug.SetGCPercent(800)

// Models of every method, on every domain, of one and several channels, with every symmetry, of values and of
// logarithms, read as they were written: they predict the same bits, and rfm.py the same numbers.
func TestEveryMethodIsReadAsItWasWritten(t *testing.T) {
	detector.Skip(t, detector.Stored)
	trained := map[string]int{}
	var n, networks inNumPy
	for _, d := range grid.Domains() {
		if (d.Cells || d.Aspect != grid.Aspect{}) && testing.Short() {
			continue
		}
		points := 7 + map[bool]int{false: 1}[d.Cells || d.Aspect != grid.Aspect{}]
		for d.Periodic && d.Intervals(points)%2 == 1 || !d.Exists(points) {
			points++
		}
		for _, channels := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 3}} {
			symmetries := []string{config.AutoSymmetry}
			if channels == [2]int{1, 1} {
				symmetries = []string{config.AutoSymmetry, config.NoSymmetry, config.Translations, config.Reflection,
					config.OddReflection, config.WholeSquare}
				if !d.Periodic {
					symmetries = append(symmetries, config.OddFold, config.OddToEven)
				}
				if !d.Periodic && d.Dims == 1 {
					symmetries = append(symmetries, config.OddLeft, config.OddRight)
				}
			}
			for _, symmetry := range symmetries {
				for _, positive := range []bool{false, true} {
					if positive && symmetry != config.AutoSymmetry || (d.Periodic && symmetry == config.WholeSquare) || !d.Periodic &&
						(symmetry == config.Translations ||
							symmetry == config.OddReflection) || symmetry == config.WholeSquare && !d.Square() {
						continue
					}
					count := 8
					if channels == [2]int{1, 1} && symmetry == config.AutoSymmetry && !positive && !d.Periodic && d.Dims == 2 {
						count = 34 // corrections gain
					}
					pairs := nonlinear(d, points, count, channels[0], channels[1], positive)
					r := fewFeatures(t, pairs, symmetry)
					methods := method.All(pairs.Inputs.Domain, pairs.Outputs.Domain, symmetry)
					if config.Folds(symmetry) {
						pairs = held(pairs)
						methods = slices.DeleteFunc(methods, func(m operator.Method) bool { return !m.Folds })
					} else if channels == [2]int{1, 1} {
						methods = append(methods, r.Method())
					}
					options := operator.Options{Workers: 2, Seed: 1, Symmetry: symmetry, Network: operator.Network{Width: 8, Modes: 3,
						Layers: 2}}
					for _, m := range methods {
						name := fmt.Sprintf("%s, %s %v, %d to %d channels, %s, positive %v", m.Name, d.Name(), d.Aspect, channels[0],
							channels[1], symmetry, positive)
						trained[m.Name] += 0
						if (m.Name == config.Corrected || m.Name == config.Layers) && count < 34 {
							continue
						}
						if m.Name == config.Layers && d.Cells == d.Square() { // golden files contain them on other domains
							continue
						}
						pairs := pairs
						if m.Name == config.Layers {
							pairs = pairs.Range(0, 20)
						}
						o, err := m.Train(t.Context(), pairs, options)
						if err != nil && (strings.Contains(err.Error(), "no correction lowers") ||
							strings.Contains(err.Error(), "no shear or logit lowers") ||
							strings.Contains(err.Error(), "no local layer lowers")) {
							continue
						}
						if err != nil {
							t.Errorf("%s: %v", name, err)
							continue
						}
						trained[m.Name]++
						options.Known = append(options.Known, o)
						model := Model{Operator: o, Problem: r.Config.Problem, Grid: points, Version: "1"}
						expectReadAsWritten(t, name, model, pairs.Inputs)
						inNumPy := &n
						if m.Name == config.NeuralOperator {
							inNumPy = &networks
						}
						inNumPy.add(t, name, model, pairs.Inputs.Range(0, 2))
					}
				}
			}
		}
	}
	n.compare(t, trainedTolerance)
	networks.compare(t, neuralTolerance)
	for name, count := range trained {
		if count < 1 && name != config.Sheared { // golden files contain a sheared model
			t.Errorf("%s was trained %d times", name, count)
		}
	}
}

// expectReadAsWritten writes and reads a model, which has to predict the same from some inputs.
func expectReadAsWritten(t *testing.T, name string, m Model, inputs grid.Batch) {
	t.Helper()
	file := written(t, m)
	read, err := Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	few := inputs.Range(0, 3)
	if got, want := predict(t, read, few), predict(t, m, few); !slices.Equal(got.Data, want.Data) {
		t.Errorf("%s: predicts other values when it was read", name)
	}
	if again := written(t, read); !bytes.Equal(again, file) {
		t.Errorf("%s: is written with other bytes when it was read", name)
	}
}
