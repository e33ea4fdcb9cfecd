package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/fidelity"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/model/trained"
	"rfm/model/trained/unlike"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// regularity of the inputs: some ten modes have all of their variance but rounding.
const regularity = 6

// pairsOn returns pairs of a nonlinear operator between smooth functions.
func pairsOn(d grid.Domain, points, count, in, out int, positive bool) dataset.Pairs {
	drawn := func(channels int, seed uint64) (all []grid.Batch) {
		for c := range channels {
			b := grid.NewBatch(d, points, count)
			grf.Measure{Tau: 3, Alpha: regularity, Axis: 2, Space: d}.On(points).Draw(b, seed+uint64(c), draw.InputTrain, 0)
			unit := b.Unit()
			for x, v := range b.Data {
				b.Data[x] = v / unit
				if positive {
					b.Data[x] = math.Exp(2 * v / unit)
				}
			}
			all = append(all, b)
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

// contentOf returns the content of a page with a model of some pairs.
func contentOf(o operator.Operator, pairs dataset.Pairs) Content {
	return Content{Title: "t", Equation: []string{"u_t = u_xx </script>"}, Sentence: "s", Axis: [2]float64{0, 1},
		Input: "a", Output: "u", Model: trained.Model{Operator: o, Problem: "p", Grid: pairs.Inputs.Points, Version: "1"},
		Train: pairs, Test: pairs}
}

// script returns the formulas of a page with its data, without its interface.
func script(t *testing.T, c Content) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(t.Context(), &b, c); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(b.String(), "<script>")
	text, _, found := strings.Cut(text, "// The page: a pen")
	if !found {
		t.Fatal("the page has no interface")
	}
	return text
}

// node returns the program that runs scripts. Without it the test is skipped, or fails if REQUIRE_NODE is set.
func node(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"node", "nodejs"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("REQUIRE_NODE") != "" {
		t.Fatal("there is no node, and REQUIRE_NODE is set")
	}
	t.Skip("there is no node, which runs the script of a page")
	return ""
}

// comparison runs the scripts of several pages in one process.
type comparison struct {
	program string
	names   []string
	want    []grid.Batch
	bounds  []float64
}

func (c *comparison) add(t *testing.T, name string, content Content, inputs grid.Batch, bound float64) {
	t.Helper()
	want, err := content.Model.Predict(t.Context(), inputs, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	given, err := json.Marshal(inputs.Data)
	if err != nil {
		t.Fatal(err)
	}
	c.program += fmt.Sprintf(`{
%s
const given = %s, predict = make(data), size = data.grid[0]*data.grid[1], channels = %d, answers = [];
for (let at = 0; at < given.length; at += size*channels) {
	const a = Array.from({length: channels}, (_, c) => Float64Array.from(given.slice(at + c*size, at + (c + 1)*size)));
	for (const u of predict(a)) answers.push(...u);
}
all.push(answers);
}
`, script(t, content), given, inputs.Domain.Width())
	c.names = append(c.names, name)
	c.want = append(c.want, want)
	c.bounds = append(c.bounds, bound)
}

func (c *comparison) run(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pages.js")
	program := "\"use strict\";\nconst all = [];\n" + c.program + "\nprocess.stdout.write(JSON.stringify(all));\n"
	if err := os.WriteFile(path, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(node(t), path).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("%v: %s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var all [][]float64
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for i, name := range c.names {
		want := c.want[i].Data
		largest := 0.0
		for _, v := range want {
			largest = max(largest, math.Abs(v))
		}
		if len(all[i]) != len(want) {
			t.Errorf("%s: %d values, want %d", name, len(all[i]), len(want))
			continue
		}
		worst := 0.0
		for k, v := range all[i] {
			worst = max(worst, math.Abs(v-want[k])/largest)
		}
		if !(worst <= c.bounds[i]) {
			t.Errorf("%s: differs by %.2g, at most %g is allowed", name, worst, c.bounds[i])
		}
	}
}

// A page predicts what the program predicts: for each kind of operator, on each kind of domain, with one and several
// channels.
func TestPagesPredictTheSame(t *testing.T) {
	node(t) // skips before the work
	// Coefficients of kernels are much larger than values here, and networks predict in single precision.
	bounds := map[string]float64{config.Mean: 1e-12, config.Linear: 1e-10, config.KernelRidge: 1e-7,
		config.EquivariantKernel: 1e-7, config.NeuralOperator: 1e-5}
	var c comparison
	seen := map[string]bool{}
	domains := []grid.Domain{grid.Torus, grid.Interval, grid.Square, grid.Torus2}
	if !testing.Short() {
		domains = grid.Domains()
	}
	for _, d := range domains {
		points := 9
		for !d.Exists(points) || d.Periodic && d.Intervals(points)%2 == 1 {
			points++
		}
		learn := func(channels [2]int, symmetry string, positive bool) {
			pairs := pairsOn(d, points, 12, channels[0], channels[1], positive)
			inputs := pairsOn(d, points, 20, channels[0], channels[1], positive).Inputs.Range(14, 3)
			for _, m := range method.All(pairs.Inputs.Domain, pairs.Outputs.Domain, symmetry) {
				bound, held := bounds[m.Name]
				if !held {
					continue
				}
				o := operator.Options{Workers: 2, Seed: 1, Symmetry: symmetry, Network: operator.Network{Width: 8, Modes: 3, Layers: 2}}
				operator := must(m.Train(t.Context(), pairs, o))
				name := fmt.Sprintf("%s on %s, %v channels, %s, positive %t", m.Name, d.Name(), channels, symmetry, positive)
				c.add(t, name, contentOf(operator, pairs), inputs, bound)
				seen[m.Name] = true
			}
		}
		one := [2]int{1, 1}
		learn(one, config.AutoSymmetry, false)
		learn(one, config.AutoSymmetry, true)
		learn([2]int{2, 1}, config.AutoSymmetry, false)
		learn([2]int{1, 2}, config.AutoSymmetry, false)
		if d.Periodic {
			learn(one, config.Reflection, false)
		}
		if d.Square() && !d.Periodic {
			learn(one, config.WholeSquare, false)
		}
		learnStaged(t, &c, d, points)
		pairs := pairsOn(d, points, 12, 1, 1, false)
		random := must(features(t, pairs).Train(t.Context(), pairs, operator.Options{Workers: 2, Seed: 1}))
		c.add(t, "features on "+d.Name(), contentOf(random, pairs), pairs.Inputs.Range(0, 3), 1e-10)
	}
	for name := range bounds {
		if !seen[name] {
			t.Errorf("no page has a model of the method %s", name)
		}
	}
	c.run(t)
}

// A page predicts what the program predicts for model files of every kind, among them those that no training here makes.
func TestPagesOfStoredModels(t *testing.T) {
	files := must(filepath.Glob(filepath.Join("..", "..", "trained", "testdata", "*.npz")))
	var c comparison
	seen := map[string]bool{}
	for _, file := range files {
		m := must(trained.ReadFile(t.Context(), file))
		d := m.Domain().One()
		if d.Scattered() {
			continue
		}
		m.Grid = m.Operator.Finest() // which contains the random functions
		points := Grid(m)
		if !d.Contains(m.Operator.Finest(), points) {
			continue
		}
		in, out := m.Operator.Channels()
		pairs := pairsOn(d, points, 4, in, out, true)
		content := Content{Title: "t", Input: "a", Output: "u", Model: m, Train: pairs, Test: pairs}
		kind, _, err := m.Parts()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range kinds {
			seen[name] = seen[name] || bytes.Contains(kind, []byte(fmt.Sprintf(`"kind":%q`, name)))
		}
		var refused *fault.Data
		if err := Write(t.Context(), io.Discard, content); errors.As(err, &refused) && strings.Contains(refused.What, "does not contain") {
			continue // an offset on a grid between others, which no training makes
		}
		c.add(t, filepath.Base(file), content, pairs.Inputs, 1e-9)
	}
	for _, name := range []string{"stacked", "layer", "sheared", "corrected", "predictor-corrector"} {
		if !seen[name] {
			t.Errorf("no stored model is of the kind %s", name)
		}
	}
	c.run(t)
}

// learnStaged adds models of two fidelities, that see the low prediction and that do not.
func learnStaged(t *testing.T, c *comparison, d grid.Domain, points int) {
	t.Helper()
	pairs := pairsOn(d, points, 12, 2, 1, false)
	o := operator.Options{Workers: 2, Seed: 1}
	low := must(named(config.Linear).Train(t.Context(), pairs, o))
	predicted := must(low.Predict(t.Context(), pairs.Inputs, 2, nil))
	for _, sees := range []bool{false, true} {
		rest := must(named(config.KernelRidge).Train(t.Context(), fidelity.Pairs(pairs, predicted, sees), o))
		staged := fidelity.New(pairs, low, rest, sees)
		c.add(t, fmt.Sprintf("staged on %s, sees %t", d.Name(), sees), contentOf(staged, pairs), pairs.Inputs.Range(2, 3), 1e-7)
	}
}

// named returns a method that needs no features.
func named(name string) operator.Method {
	m, _ := method.Named(name, random.Random{})
	return m
}

// centre takes the means from all channels of functions, as in laws that conserve mass.
func centre(b grid.Batch) {
	one := b.Domain.One()
	for i := range b.Count {
		for c := range b.Domain.Width() {
			f := b.Of(i, c)
			ones := slices.Repeat([]float64{1}, len(f))
			mean := one.Inner(f, ones)
			for x := range f {
				f[x] -= mean
			}
		}
	}
}

// The alarm of a page has the deviations of the program, for inputs of the same law, with another mean, and for larger ones.
func TestAlarmsOfPagesAreTheSame(t *testing.T) {
	program := "\"use strict\";\nconst all = [];\n"
	var want [][]float64
	for _, d := range []grid.Domain{grid.Torus, grid.Interval, grid.Square, {Dims: 2, Cells: true}} {
		points := 17
		if d.Cells {
			points = 18
		}
		pairs := pairsOn(d, points, 30, 2, 1, false)
		centre(pairs.Inputs)
		m, _ := method.Named(config.Mean, random.Random{})
		content := contentOf(must(m.Train(t.Context(), pairs, operator.Options{Workers: 1})), pairs)
		content.Model.Training = must(unlike.New(t.Context(), pairs.Inputs, nil))
		inputs := pairsOn(d, points, 34, 2, 1, false).Inputs.Range(30, 4)
		centre(inputs)
		for x := range inputs.At(3) {
			inputs.At(2)[x] += 0.2
			inputs.At(3)[x] *= 10
		}
		found, known, err := content.Model.Unlike(t.Context(), inputs, 2)
		if err != nil || !known {
			t.Fatalf("%s: known %t, %v", d.Name(), known, err)
		}
		var shares []float64
		for _, deviation := range found.Deviations {
			shares = append(shares, deviation/found.Limit)
		}
		want = append(want, shares)
		given := must(json.Marshal(inputs.Data))
		program += fmt.Sprintf(`{
%s
const given = %s, unlike = alarmOf(data), size = data.grid[0]*data.grid[1], answers = [];
for (let at = 0; at < given.length; at += 2*size) {
	answers.push(unlike([0, 1].map(c => Float64Array.from(given.slice(at + c*size, at + (c + 1)*size)))));
}
all.push(answers);
}
`, script(t, content), given)
	}
	path := filepath.Join(t.TempDir(), "alarms.js")
	if err := os.WriteFile(path, []byte(program+"process.stdout.write(JSON.stringify(all));\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(node(t), path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var all [][]float64
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for k := range want {
		for i, w := range want[k] {
			if math.Abs(all[k][i]-w) > 1e-9*max(1, w) {
				t.Errorf("domain %d, input %d: %g of the limit, want %g", k, i, all[k][i], w)
			}
		}
		if all[k][3] <= 1 {
			t.Errorf("domain %d: ten times as large, but %g of the limit", k, all[k][3])
		}
	}
}

// A page can hold every kind of operator that a model file can. Others are refused.
func TestKindsOfOperators(t *testing.T) {
	for kind := range method.Kinds() {
		if !slices.Contains(kinds, kind) {
			t.Errorf("a page cannot hold operators of the kind %q", kind)
		}
	}
	for _, operator := range []string{`{"kind": "tree"}`, `{"kind": "scaled", "of": {"kind": "tree"}}`,
		`{"kind": "features", "map": {"kind": "tree"}}`, `{"kind": "layer", "first": {"kind": "tree"}}`} {
		err := supported(json.RawMessage(operator))
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(data.Do, "train.method=kernel") {
			t.Errorf("%s: the error is %v", operator, err)
		}
	}
	if err := supported(json.RawMessage(`{"kind": "symmetric", "of": {"kind": "kernel"}}`)); err != nil {
		t.Error(err)
	}
}

// features returns the method of a few random features.
func features(t *testing.T, pairs dataset.Pairs) operator.Method {
	t.Helper()
	d := pairs.Inputs.Domain
	name := config.Functions
	if d.Dims == 2 {
		name = config.Fields
	}
	c := must(config.PresetByName(name))
	c.Features.Count = 12
	c.Data.Grid = pairs.Inputs.Points
	c.Train.Grid = pairs.Inputs.Points
	c.Data.Train = pairs.Count()
	c.Data.In = 1
	c.Data.Out = 1
	c.Data.Boundary = config.Closed
	if d.Periodic {
		c.Data.Boundary = config.Periodic
	}
	if d.Cells {
		c.Data.Endpoint = config.Centres
	}
	if d.Dims == 2 {
		_, c.Data.Columns = d.Axes(pairs.Inputs.Points)
	}
	drawn := must(feature.New(t.Context(), setup.Features(c), c.Features.Count, pairs.Inputs.Points, 2))
	return random.Random{Config: c, Drawn: drawn, Fine: pairs}.Method()
}

// No text of a file or an equation can leave its place in the page, and the page asks for nothing from elsewhere.
func TestPagesAreClosed(t *testing.T) {
	pairs := pairsOn(grid.Torus, 17, 8, 1, 1, false)
	content := contentOf(must(method.All(grid.Torus, grid.Torus, "")[1].Train(t.Context(), pairs, operator.Options{Workers: 1})), pairs)
	content.Title = "</title><script>alert(1)</script>"
	content.Input = "</script><script>alert(1)</script>"
	content.Command = "rfm run '<b>'"
	var b bytes.Buffer
	if err := Write(t.Context(), &b, content); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if count := strings.Count(text, "<script>"); count != 1 {
		t.Errorf("%d scripts, want one", count)
	}
	if strings.Contains(text, "<b>") || strings.Contains(text, "http://") || strings.Contains(text, "https://") {
		t.Error("the page has markup of the content, or an address")
	}
}

// 512 pairs on 129 points make a page below a megabyte.
func TestPagesAreSmall(t *testing.T) {
	pairs := pairsOn(grid.Torus, 129, 512, 1, 1, false)
	m := method.All(grid.Torus, grid.Torus, "")
	for _, one := range m {
		if one.Name != config.KernelRidge {
			continue
		}
		content := contentOf(must(one.Train(t.Context(), pairs, operator.Options{Workers: 2})), pairs)
		var b bytes.Buffer
		if err := Write(t.Context(), &b, content); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 1<<20 {
			t.Errorf("%d bytes, at most a MiB is wanted", b.Len())
		}
	}
}

// shown opens a page in a browser of some width, and decodes what it tells between the words TOLD.
func shown(t *testing.T, page string, width int, told any) {
	t.Helper()
	path := browser(t)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		fmt.Sprintf("--window-size=%d,900", width), "--virtual-time-budget=5000", "--dump-dom", "file://"+file)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(out), "TOLD")
	if len(parts) < 3 {
		t.Fatalf("%d pixels: the page tells nothing: %.300s", width, out)
	}
	if err := json.Unmarshal([]byte(parts[len(parts)-2]), told); err != nil {
		t.Fatal(err)
	}
}

// browser returns a Chromium. Without it the test is skipped, or fails if REQUIRE_BROWSER is set.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("REQUIRE_BROWSER") != "" {
		t.Fatal("there is no Chromium, and REQUIRE_BROWSER is set")
	}
	t.Skip("there is no Chromium")
	return ""
}

// drawn is what a page tells after a line was drawn, and after keys.
type drawn struct {
	Begin, End     float64 // values of the input where the line begins and ends
	Above          bool    // whether the line begins above its end
	Moved, Undone  bool    // the prediction changed with the pen, and came back
	Bent           float64 // what the key for up adds at the cursor
	Wide           int     // pixels of the page beyond the window
	PastTrue, True string  // the caption before and after
}

// A pen and keys change the input in a real browser, and the prediction follows, on a narrow screen and on a wide one.
func TestPenDrawsInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	browser(t) // before a model is trained
	pairs := pairsOn(grid.Torus, 65, 40, 1, 1, false)
	m, _ := method.Named(config.KernelRidge, random.Random{})
	var page bytes.Buffer
	if err := Write(t.Context(), &page, contentOf(must(m.Train(t.Context(), pairs, operator.Options{Workers: 2})), pairs)); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(page.String(), "</body>", `<script>
setTimeout(() => {
	const canvas = canvases.input, box = canvas.getBoundingClientRect(), told = {PastTrue: byId("about-output").textContent};
	const send = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {buttons: 1, pointerId: 1, bubbles: true,
		clientX: box.left + x*box.width, clientY: box.top + y*box.height}));
	const before = predict(a)[0].slice(), first = a[0].slice();
	send("pointerdown", 0.3, 0.2);
	send("pointermove", 0.5, 0.5);
	send("pointermove", 0.8, 0.8);
	told.Begin = a[0][Math.round(64*(0.3*box.width - 52)/(box.width - 60))];
	told.End = a[0][Math.round(64*(0.8*box.width - 52)/(box.width - 60))];
	told.Above = told.Begin > told.End;
	told.True = byId("about-output").textContent;
	told.Moved = predict(a)[0].some((v, i) => v !== before[i]);
	undo();
	told.Undone = a[0].every((v, i) => v === first[i]);
	canvas.focus();
	const at = a[0][cursor];
	canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowUp"}));
	told.Bent = a[0][cursor] - at;
	told.Wide = document.documentElement.scrollWidth - window.innerWidth;
	document.body.textContent = "TOLD" + JSON.stringify(told) + "TOLD";
}, 200);
</script></body>`, 1)
	for _, width := range []int{400, 1200} {
		var told drawn
		shown(t, text, width, &told)
		if !told.Above || !told.Moved || !told.Undone || !(told.Bent > 0) || told.Wide > 0 {
			t.Errorf("%d pixels: after drawing a falling line and pressing a key: %+v", width, told)
		}
		if !strings.Contains(told.PastTrue, "true output") || strings.Contains(told.True, "true output") {
			t.Errorf("%d pixels: the true output is shown beside %q, want it only beside %q", width, told.True, told.PastTrue)
		}
	}
}

// The pen holds the ends of inputs at zero if the model continues them with their sign changed, and others alone.
func TestPenHoldsEndsInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	browser(t) // before a model is trained
	const points = 65
	pairs := pairsOn(grid.Interval, points, 40, 1, 1, false)
	for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		for x := range b.Data {
			b.Data[x] *= math.Sin(math.Pi * float64(x%points) / (points - 1))
		}
	}
	both := [2]bool{true, true}
	for symmetry, want := range map[string][2]bool{config.OddFold: both, config.EvenFold: {}, config.OddLeft: {true, false},
		config.OddRight: {false, true}} {
		o := operator.Options{Workers: 2, Symmetry: symmetry}
		model := must(named(config.EquivariantKernel).Train(t.Context(), pairs, o))
		var page bytes.Buffer
		if err := Write(t.Context(), &page, contentOf(model, pairs)); err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(page.String(), "</body>", `<script>
setTimeout(() => {
	const before = a[0].slice();
	bend(0, 1);
	const changed = a[0][2] - before[2] > 0.5;
	bend(64, 1);
	const held = [a[0][0] === 0, a[0][64] === 0];
	document.body.textContent = "TOLD" + JSON.stringify({held, changed}) + "TOLD";
}, 200);
</script></body>`, 1)
		var told struct {
			Held    [2]bool
			Changed bool
		}
		shown(t, text, 800, &told)
		if told.Held != want || !told.Changed {
			t.Errorf("%s: after a bump at each end %+v, want held %v", symmetry, told, want)
		}
	}
}
