package interchange

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// squares returns functions at points and their squares; first numbers the first function.
func squares(first, count, points int) (a, u npy.Array) {
	a = npy.Array{Shape: npy.Shape{count, points}}
	u = npy.Array{Shape: npy.Shape{count, points}}
	for i := range count {
		phase := float64(first + i)
		for x := range points {
			angle := 2 * math.Pi * float64(x) / float64(points)
			v := 1 + 0.5*math.Sin(angle+phase) + 0.2*math.Cos(2*angle+phase*phase)
			a.Data = append(a.Data, v)
			u.Data = append(u.Data, v*v)
		}
	}
	return a, u
}

// trainedOn returns the directory of a run that was trained on the pairs of a file.
func trainedOn(t *testing.T, file string) string {
	t.Helper()
	c, files, err := reading.Configuration(t.Context(), file, "train.method=kernel", "evaluation.baselines=no")
	noError(t, err)
	directory := t.TempDir()
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2, Runs: directory, Name: "r", Files: files})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	return filepath.Join(directory, "r")
}

// predicted applies the model of a run to a file, and returns also the array of the predictions.
func predicted(t *testing.T, run, file string) (Predicted, npy.Array) {
	t.Helper()
	p := Prediction{
		In:       file,
		Out:      filepath.Join(t.TempDir(), "out.npy"),
		Workers:  1,
		Endpoint: config.AutoPoints,
		Layout:   config.AutoLayout,
	}
	did, err := Predict(t.Context(), filepath.Join(run, store.ModelFile), p)
	noError(t, err)
	return did, arraytest.Read(t, p.Out)
}

// relativeErrors returns the relative error of each row in the discrete L2 norm, which is that of periodic functions.
func relativeErrors(predictions, truth npy.Array) (all []float64) {
	points := truth.Shape[1]
	for i := range truth.Shape[0] {
		var distance, norm float64
		for x := range points {
			u := truth.Data[i*points+x]
			distance += (predictions.Data[i*points+x] - u) * (predictions.Data[i*points+x] - u)
			norm += u * u
		}
		all = append(all, math.Sqrt(distance/norm))
	}
	return all
}

// One model serves all of these.
func TestPredictionsForFilesWithOutputs(t *testing.T) {
	a, u := squares(0, 50, 32)
	own := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), map[string]npy.Array{"a": a, "u": u})
	run := trainedOn(t, own)
	t.Run("errors", func(t *testing.T) { testErrorsOfPredictions(t, run, own) })
	t.Run("test pairs of the run", func(t *testing.T) { testErrorsOfTheReport(t, run) })
	t.Run("not compared", func(t *testing.T) { testReasons(t, run) })
	t.Run("exchanged axes", func(t *testing.T) { testExchangedAxes(t, run) })
}

// Outputs beside the inputs tell the errors of predictions, on other grids than that of training, too.
func testErrorsOfPredictions(t *testing.T, run, own string) {
	for _, points := range []int{32, 64} {
		a, u := squares(100, 12, points)
		file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "new.npz"), map[string]npy.Array{"a": a, "u": u})
		did, predictions := predicted(t, run, file)
		want := relativeErrors(predictions, u)
		if did.Compared == nil {
			t.Fatalf("K=%d: not compared: %s", points, did.NotCompared)
		}
		for i, got := range did.Compared.Relative {
			if math.Abs(got-want[i]) > 1e-9*want[i] {
				t.Errorf("K=%d: error %d is %g, want %g", points, i, got, want[i])
			}
		}
		if did.Compared.Max != slices.Max(want) && math.Abs(did.Compared.Max/slices.Max(want)-1) > 1e-9 {
			t.Errorf("K=%d: largest error %g, want %g", points, did.Compared.Max, slices.Max(want))
		}
		if did.Compared.Seen {
			t.Errorf("K=%d: new pairs count as pairs of training", points)
		}
	}
	did, _ := predicted(t, run, own)
	if did.Compared == nil || !did.Compared.Seen {
		t.Errorf("the file of the training: %+v, want that its pairs trained the model", did.Compared)
	}
}

// The test pairs of a run have the errors of its report.
func testErrorsOfTheReport(t *testing.T, run string) {
	stored, err := store.Read(run)
	noError(t, err)
	var report struct{ Test engine.Measures }
	noError(t, stored.ReadJSON(store.ReportFile, &report))
	did, _ := predicted(t, run, filepath.Join(run, store.TestFile))
	if did.Compared == nil {
		t.Fatal("not compared: ", did.NotCompared)
	}
	got := engine.Measures{
		ExpectedRelative: did.Compared.ExpectedRelative,
		Bochner:          did.Compared.Bochner,
		Median:           did.Compared.Median,
		Max:              did.Compared.Max,
	}
	if got != report.Test {
		t.Errorf("errors of predictions %+v, of the report %+v", got, report.Test)
	}
	if len(did.Notes) != 1 || !strings.Contains(did.Notes[0], "as pairs") {
		t.Errorf("notes %q, want one on the array of pairs", did.Notes)
	}
}

// Outputs that cannot be compared are named with the reason, and the predictions are made. Files of inputs alone say
// nothing.
func testReasons(t *testing.T, run string) {
	a, u := squares(100, 12, 32)
	few := npy.Array{Shape: npy.Shape{5, 32}, Data: u.Data[:5*32]}
	bad := npy.Array{Shape: u.Shape, Data: slices.Clone(u.Data)}
	bad.Data[40] = math.NaN()
	for name, test := range map[string]struct {
		outputs map[string]npy.Array
		want    string
	}{
		"inputs alone": {map[string]npy.Array{}, ""},
		"fewer":        {map[string]npy.Array{"u": few}, `5 functions in "u"`},
		"NaN":          {map[string]npy.Array{"u": bad}, "function 1 has the value NaN"},
		"another name": {map[string]npy.Array{"y": u}, `"y" has as many values as the predictions`},
	} {
		test.outputs["a"] = a
		did, predictions := predicted(t, run, arraytest.NPZ(t, filepath.Join(t.TempDir(), "new.npz"), test.outputs))
		if did.Compared != nil || predictions.Shape[0] != 12 {
			t.Errorf("%s: compared %+v, predictions of shape %v", name, did.Compared, predictions.Shape)
		}
		if !strings.Contains(did.NotCompared, test.want) || test.want == "" && did.NotCompared != "" {
			t.Errorf("%s: reason %q, want %q", name, did.NotCompared, test.want)
		}
	}
}

// A model takes functions on any grid, so that exchanged axes would be taken for functions on few points.
func testExchangedAxes(t *testing.T, run string) {
	a, u := squares(100, 12, 32)
	inputs := map[string]npy.Array{"a": a, "u": u}
	straight, _ := predicted(t, run, arraytest.NPZ(t, filepath.Join(t.TempDir(), "new.npz"), inputs))
	exchanged := map[string]npy.Array{"a": transposed(a), "u": transposed(u)}
	turned, predictions := predicted(t, run, arraytest.NPZ(t, filepath.Join(t.TempDir(), "turned.npz"), exchanged))
	if !slices.Equal(predictions.Shape, []int{32, 12}) || turned.Count != 12 {
		t.Fatalf("%d functions, predictions of shape %v, want 12 and [32 12]", turned.Count, predictions.Shape)
	}
	if !slices.Equal(turned.Compared.Relative, straight.Compared.Relative) {
		t.Errorf("errors %v, want %v", turned.Compared.Relative, straight.Compared.Relative)
	}
	if len(turned.Notes) != 1 || !strings.Contains(turned.Notes[0], "12 functions on the 32 points of training") {
		t.Errorf("notes %q", turned.Notes)
	}
}

// A list of numbers is the input of a model of numbers, also where the only other array has functions.
func TestNumbersBesideFunctionsArePredictedFor(t *testing.T) {
	const points = 21
	numbers := npy.Array{Shape: npy.Shape{40}}
	u := npy.Array{Shape: npy.Shape{40, points}}
	for i := range numbers.Shape[0] {
		number := 1 + float64(i*17%40)/40
		numbers.Data = append(numbers.Data, number)
		for x := range points {
			u.Data = append(u.Data, math.Sin(number*float64(x)/points)+1)
		}
	}
	own := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), map[string]npy.Array{"omega": numbers, "u": u})
	did, predictions := predicted(t, trainedOn(t, own), own)
	if !slices.Equal(predictions.Shape, u.Shape) || did.Compared == nil || did.Compared.Max > 0.1 {
		t.Errorf("predictions of shape %v, want %v; compared %+v", predictions.Shape, u.Shape, did.Compared)
	}
}

// Predictions for inputs on the grid of training are on the grid of the outputs, where the printed error is measured; those
// for inputs on other grids are on theirs.
func TestPredictionsAreOnTheGridOfTheOutputs(t *testing.T) {
	const pairs = 40
	onInterval := func(first, count, points int) npy.Array {
		b := npy.Array{Shape: npy.Shape{count, points}}
		for i := range count {
			for x := range points {
				place := math.Pi * float64(x) / float64(points-1)
				b.Data = append(b.Data, 2+math.Sin(float64(first+i))*math.Cos(place)+math.Cos(float64(3*i+first))*math.Cos(2*place))
			}
		}
		return b
	}
	arrays := map[string]npy.Array{"a": onInterval(0, pairs, 60), "u": onInterval(0, pairs, 41)}
	own := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), arrays)
	run := trainedOn(t, own)
	did, predictions := predicted(t, run, own)
	if !slices.Equal(predictions.Shape, arrays["u"].Shape) || did.Compared == nil || did.Compared.Grid != 0 {
		t.Errorf("predictions of shape %v, want %v; compared %+v", predictions.Shape, arrays["u"].Shape, did.Compared)
	}
	// As many functions as the outputs have points are no functions whose axes are exchanged.
	many := arraytest.NPZ(t, filepath.Join(t.TempDir(), "many.npz"), map[string]npy.Array{"a": onInterval(50, 41, 60)})
	did, predictions = predicted(t, run, many)
	if !slices.Equal(predictions.Shape, []int{41, 41}) || did.Count != 41 || len(did.Notes) > 0 {
		t.Errorf("41 inputs: predictions of shape %v, notes %q", predictions.Shape, did.Notes)
	}
	other := arraytest.NPZ(t, filepath.Join(t.TempDir(), "other.npz"), map[string]npy.Array{"a": onInterval(50, 3, 81)})
	if _, predictions := predicted(t, run, other); !slices.Equal(predictions.Shape, []int{3, 81}) {
		t.Errorf("inputs on another grid: predictions of shape %v, want [3 81]", predictions.Shape)
	}
}

// transposed returns an array with its two axes exchanged.
func transposed(a npy.Array) npy.Array {
	rows := a.Shape[0]
	columns := a.Shape[1]
	b := npy.Array{Shape: npy.Shape{columns, rows}, Data: make([]float64, len(a.Data))}
	for i := range rows {
		for j := range columns {
			b.Data[j*rows+i] = a.Data[i*columns+j]
		}
	}
	return b
}
