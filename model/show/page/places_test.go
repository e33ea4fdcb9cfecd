package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/model/trained/unlike"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// scatteredPlaces returns points of random places with some coordinates.
func scatteredPlaces(count, axes int, seed uint64) points.Places {
	random := draw.Stream(seed, "page-places", axes)
	at := make([]float64, count*axes)
	for i := range at {
		at[i] = random.Float64()
	}
	return points.Equal(axes, at, count)
}

// pairsAt returns pairs of a nonlinear operator between waves at the points of a cloud.
func pairsAt(cloud points.Cloud, count int, seed uint64) dataset.Pairs {
	domain := grid.Domain{Dims: 1, Cloud: cloud}
	size := cloud.Count()
	a := grid.NewBatch(domain, size, count)
	u := grid.NewBatch(domain, size, count)
	phases := func(p points.Places, i, k int) float64 {
		sum := float64(k)
		for axis := range p.Axes {
			sum += float64(k+1) * p.Place(i)[axis] * float64(axis+2)
		}
		return sum
	}
	for i := range count {
		random := draw.Stream(seed, "page-pairs", i)
		for k := range 5 {
			c := random.NormFloat64() / float64(k+1)
			in := cloud.OfInput(a.At(i))
			for x := range in {
				in[x] += c * math.Cos(phases(cloud.Inputs(), x, k))
			}
			out := cloud.OfOutput(u.At(i))
			for x := range out {
				out[x] += math.Sin(c*2) * math.Cos(phases(cloud.Outputs(), x, k))
			}
		}
	}
	return dataset.Pairs{Inputs: a, Outputs: u}
}

// locally returns pairs with the same inputs, whose outputs depend on the input at each point and on its place.
func locally(pairs dataset.Pairs) dataset.Pairs {
	cloud := pairs.Inputs.Domain.Cloud
	u := grid.NewBatch(pairs.Inputs.Domain, cloud.Count(), pairs.Count())
	for i := range pairs.Count() {
		a := pairs.Inputs.At(i)
		out := u.At(i)
		for x := range out {
			place := cloud.Outputs().Place(x)
			out[x] = (1 + place[0]) * math.Sin(2*a[x])
		}
	}
	return pairs.With(u)
}

// standing returns pairs of a function a and the solution u of K u + W a u = W f, K the Laplacian over the edges of the points
// and W their weights. The first three values of u are 0.
func standing(cloud points.Cloud, count int) dataset.Pairs {
	pairs := pairsAt(cloud, count, 3)
	places := cloud.Outputs()
	edges := points.Edges(places)
	const fixed = 3
	for i := range count {
		a := pairs.Inputs.At(i)
		n := len(a)
		system := mat.NewDense(n, n, nil)
		right := mat.NewVecDense(n, nil)
		add := func(row, column int, v float64) { system.Set(row, column, system.At(row, column)+v) }
		for x, w := range places.Weights {
			if x < fixed {
				add(x, x, 1)
				continue
			}
			add(x, x, w*(2+math.Sin(a[x])))
			right.SetVec(x, w)
		}
		for _, e := range edges {
			for _, ends := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
				if ends[0] >= fixed {
					add(ends[0], ends[0], 0.05*e.Conductance)
					add(ends[0], ends[1], -0.05*e.Conductance)
				}
			}
		}
		u := mat.NewVecDense(n, pairs.Outputs.At(i))
		if err := u.SolveVec(system, right); err != nil {
			panic(err)
		}
	}
	return pairs
}

// clouds are points in one, two and three dimensions, and those whose inputs have points of their own.
func clouds() map[string]points.Cloud {
	line := scatteredPlaces(20, 1, 1)
	numbers := points.Equal(0, nil, 6)
	return map[string]points.Cloud{
		"a line":                 points.New(nil, scatteredPlaces(40, 1, 2)),
		"the plane":              points.New(nil, scatteredPlaces(60, 2, 3)),
		"space":                  points.New(nil, scatteredPlaces(60, 3, 4)),
		"a line to the plane":    points.New(&line, scatteredPlaces(50, 2, 5)),
		"numbers to the plane":   points.New(&numbers, scatteredPlaces(50, 2, 6)),
		"points without a place": points.New(nil, points.Equal(0, nil, 30)),
	}
}

// Pages of functions at points predict what the program predicts, by every method that learns there, to rounding of sums.
func TestPagesAtPointsPredictTheSame(t *testing.T) {
	node(t) // skips before the work
	var c comparison
	for where, cloud := range clouds() {
		pairs := pairsAt(cloud, 24, 1)
		inputs := pairsAt(cloud, 200, 2).Inputs
		for _, name := range []string{config.Mean, config.Linear, config.KernelRidge} {
			model := must(named(name).Train(t.Context(), pairs, operator.Options{Workers: 2, Seed: 1}))
			c.add(t, name+" on "+where, contentOf(model, pairs), inputs, 1e-10)
		}
		if cloud.Apart() || cloud.Outputs().Axes == 0 { // random features need neighbours
			continue
		}
		settings := must(config.PresetByName("points"))
		settings.Features.Count = 12
		settings.Data.Train = pairs.Count()
		settings.Data.Grid = cloud.Count()
		settings.Train.Grid = cloud.Count()
		drawn := must(feature.Scattered(t.Context(), setup.Features(settings), cloud, 12, 2))
		local := locally(pairs.Range(0, 16))
		layers := must(named(config.Layers).Train(t.Context(), local, operator.Options{Workers: 2, Seed: 1}))
		c.add(t, "layers on "+where, contentOf(layers, local), inputs, 1e-9)
		m := random.Random{Config: settings, Drawn: drawn, Fine: pairs}.Method()
		model := must(m.Train(t.Context(), pairs, operator.Options{Workers: 2, Seed: 1}))
		c.add(t, "features on "+where, contentOf(model, pairs), inputs, 1e-10)
	}
	where := "the plane"
	cloud := clouds()[where]
	waves := standing(cloud, 60)
	corrected := must(named(config.Corrected).Train(t.Context(), waves, operator.Options{Workers: 2, Seed: 1}))
	c.add(t, "corrections on "+where, contentOf(corrected, waves), pairsAt(cloud, 50, 2).Inputs, 1e-8)
	c.run(t)
}

// The alarm of a page at points has the deviations of the program.
func TestAlarmsOfPagesAtPointsAreTheSame(t *testing.T) {
	cloud := clouds()["a line to the plane"]
	pairs := pairsAt(cloud, 30, 1)
	content := contentOf(must(named(config.Mean).Train(t.Context(), pairs, operator.Options{Workers: 1})), pairs)
	content.Model.Training = must(unlike.New(t.Context(), pairs.Inputs, nil))
	inputs := pairsAt(cloud, 4, 2).Inputs
	found, _, err := content.Model.Unlike(t.Context(), inputs, 2)
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("%s\nconst given = %s, unlike = alarmOf(data), all = [], size = data.grid[1];\n"+
		"for (let at = 0; at < given.length; at += size) all.push(unlike([Float64Array.from(given.slice(at, at + size))]));\n"+
		"process.stdout.write(JSON.stringify(all));\n", script(t, content), must(json.Marshal(inputs.Data)))
	path := filepath.Join(t.TempDir(), "alarm.js")
	if err := os.WriteFile(path, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(node(t), path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var all []float64
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for i, deviation := range found.Deviations {
		if want := deviation / found.Limit; math.Abs(all[i]-want) > 1e-9*max(1, want) {
			t.Errorf("input %d has the deviation %g, want %g", i, all[i], want)
		}
	}
}

// A map of points in space says from where they are seen, in a real browser.
func TestPointsInSpaceSayHowTheyAreSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	browser(t) // before a model is trained
	for where, want := range map[string]bool{"space": true, "the plane": false} {
		pairs := pairsAt(clouds()[where], 24, 1)
		var page bytes.Buffer
		content := contentOf(must(named(config.Linear).Train(t.Context(), pairs, operator.Options{Workers: 2})), pairs)
		if err := Write(t.Context(), &page, content); err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(page.String(), "</body>", `<script>setTimeout(() => {
	document.body.textContent = "TOLD" + JSON.stringify({Input: captions.input, Output: captions.output}) + "TOLD";
}, 200);</script></body>`, 1)
		var told struct{ Input, Output string }
		shown(t, text, 1200, &told)
		for _, caption := range []string{told.Input, told.Output} {
			if strings.Contains(caption, "seen along x3") != want {
				t.Errorf("%s: the caption is %q", where, caption)
			}
		}
	}
}

// drawnAt is what a page at points tells after painting and keys.
type drawnAt struct {
	Raised, Far float64 // what the brush adds at its middle, and at the other end
	Moved       bool    // the prediction changed
	Walked      bool    // an arrow moved the cursor to the right
	Bent        float64 // what page up adds there
	Value       string  // the caption under the pointer
	Wide        int     // pixels of the page beyond the window
}

// A brush and keys change values at points in a real browser, on a narrow and on a wide screen.
func TestBrushPaintsPointsInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	browser(t) // before a model is trained
	pairs := pairsAt(clouds()["the plane"], 24, 1)
	var page bytes.Buffer
	content := contentOf(must(named(config.KernelRidge).Train(t.Context(), pairs, operator.Options{Workers: 2})), pairs)
	if err := Write(t.Context(), &page, content); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(page.String(), "</body>", `<script>
setTimeout(() => {
	const canvas = canvases.input, box = canvas.getBoundingClientRect(), side = mapSide(box.width, box.height), told = {};
	const view = viewOf("input"), before = a[0].slice(), first = predict(a)[0].slice();
	const send = (kind, buttons) => canvas.dispatchEvent(new PointerEvent(kind, {buttons, pointerId: 1, bubbles: true,
		clientX: box.left + 0.3*side, clientY: box.top + 0.4*side}));
	send("pointerdown", 1);
	const center = view.pixel(0.3*side, 0.4*side, box);
	let far = 0;
	for (let i = 0; i < view.count; i++) if (view.distance(i, center) > view.distance(far, center)) far = i;
	told.Raised = a[0][center] - before[center];
	told.Far = a[0][far] - before[far];
	told.Moved = predict(a)[0].some((v, i) => v !== first[i]);
	send("pointermove", 0);
	told.Value = byId("about-input").textContent;
	canvas.focus();
	const from = view.spot(cursor, 1)[0];
	canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
	told.Walked = view.spot(cursor, 1)[0] > from;
	const value = a[0][cursor];
	canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "PageUp"}));
	told.Bent = a[0][cursor] - value;
	told.Wide = document.documentElement.scrollWidth - window.innerWidth;
	document.body.textContent = "TOLD" + JSON.stringify(told) + "TOLD";
}, 200);
</script></body>`, 1)
	for _, width := range []int{400, 1200} {
		var told drawnAt
		shown(t, text, width, &told)
		if !(told.Raised > 0) || !(math.Abs(told.Far) < 1e-3*told.Raised) || !told.Moved || !told.Walked || !(told.Bent > 0) ||
			told.Wide > 0 || !strings.Contains(told.Value, "at (") {
			t.Errorf("%d pixels: after painting and pressing keys: %+v", width, told)
		}
	}
}
