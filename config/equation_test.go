package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func textConfig(t *testing.T, assignments ...string) Config {
	t.Helper()
	c, err := PresetByName(TextEquation)
	for _, a := range assignments {
		if err == nil {
			err = Assign(&c, a)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Names in a text become settings; another text removes them.
func TestParametersOfATextAreSettings(t *testing.T) {
	c := textConfig(t, "equation.text=u_t = d*u_xx + r*sin(u)*q; q = 2*p_x; p = v + 1e-3*k2; v_t = 0", "r=3", "k2=0.5",
		"d=1 + 0.1*sin(k*x)")
	if names := c.Equation.names(c.Equation.Values()); !slices.Equal(names, []string{"d", "r", "k2", "k"}) {
		t.Errorf("names %q", names)
	}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "equation.parameters.k has no value") {
		t.Errorf("error %v", err)
	}
	if again, err := Parse(c.TOML()); err != nil || again != c {
		t.Errorf("%+v became %+v, %v", c, again, err)
	}
	bare := textConfig(t, "equation.text=u_t = u_xx")
	for want, c := range map[string]Config{"set a parameter of the equation: d, r, k2, k": c,
		"the equation has no parameters": bare} {
		if err := Assign(&c, "nu=1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := Assign(&c, "k=6.28"); err != nil {
		t.Fatal(err)
	}
	if values := c.Equation.Values(); len(values) != 4 || values["d"] != "1 + 0.1*sin(k*x)" || values["k"] != "6.28" {
		t.Errorf("values %v", values)
	}
	read, err := Parse(c.TOML())
	if err != nil || read != c {
		t.Errorf("read back %+v, %v", read.Equation, err)
	}
	r, err := c.Lookup("equation.parameters.r")
	if err != nil {
		t.Fatal(err)
	}
	for _, direction := range []int{1, 1, -1, -1} {
		next, ok := r.Neighbour(c, direction)
		if !ok || r.Set(&c, next) != nil {
			t.Fatalf("no neighbour of %s", r.Text(c))
		}
	}
	if d, _ := c.Lookup("equation.parameters.d"); r.Text(c) != "3" {
		t.Errorf("r = %s after 3, 3.3, 3.6, 3.3, 3", r.Text(c))
	} else if next, ok := d.Neighbour(c, 1); ok {
		t.Errorf("an expression has the neighbour %s", next)
	}
	if err := Assign(&c, "r=3"); err != nil {
		t.Fatal(err)
	}
	if err := Assign(&c, "equation.text=u_t = r*u_xx"); err != nil || c.Equation.Parameters != "r = 3" {
		t.Errorf("parameters %q, %v", c.Equation.Parameters, err)
	}
	for _, wrong := range []string{"r=", "r=1;2", "r=a=b", "zz=1", "equation.dims=3", "equation.text=u_t =\x07 u"} {
		before := c
		if err := Assign(&c, wrong); err == nil || c != before {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
}

// A parameter may be named only in the value of another one, in any order and several times. Parameters that are no
// longer named disappear, and the configuration is read back as it was written.
func TestParametersNameEachOther(t *testing.T) {
	for _, assignments := range [][]string{
		{"equation.text=u_t = d*u_xx", "b=3", "d=b*c", "c=2"},
		{"equation.text=u_t = c_x*u_x + c_xx*u", "c=random"},
		{"equation.text=u_t = d*u_xx", "d=1+k*x", "k=3"},
	} {
		c := textConfig(t, assignments[0])
		if err := Assign(&c, assignments[1:]...); err != nil {
			t.Fatal(err)
		}
		if again, err := Parse(c.TOML()); err != nil || again != c {
			t.Errorf("%+v became %+v, %v", c.Equation, again.Equation, err)
		}
		if assignments[1] == "d=1+k*x" {
			if err := Assign(&c, "d=2"); err != nil || c.Equation.Parameters != "d = 2" {
				t.Errorf("parameters %q, %v", c.Equation.Parameters, err)
			}
		}
	}
}

// The number of parameters is bounded because each is looked up among all of them, so that a file with thousands is
// refused within a second.
func TestThousandsOfParametersAreRefused(t *testing.T) {
	count := 4000
	if testing.Short() { // also run under the race detector and on emulated processors
		count = 1000
	}
	var b strings.Builder
	b.WriteString("problem = \"equation\"\n[equation]\ntext = \"u_t = p0*u_xx\"\n[equation.parameters]\n")
	for i := range count {
		fmt.Fprintf(&b, "p%d = \"p%d + p%d\"\n", i, 2*i+1, 2*i+2)
	}
	c, err := Parse([]byte(b.String()))
	if err == nil || !strings.Contains(err.Error(), "more keys were not read") {
		t.Errorf("error %.300v", err)
	}
	if n := len(c.Equation.names(c.Equation.Values())); n != maxNames {
		t.Errorf("%d parameters", n)
	}
}

func TestTwoDimensionsBringTheirGrids(t *testing.T) {
	c := textConfig(t, "equation.dims=2")
	if c.Dims() != 2 || c.Data.Grid != 65 || c.Train.Grid != 33 || c.Validate() != nil {
		t.Errorf("%d dimensions on %d, %v", c.Dims(), c.Data.Grid, c.Validate())
	}
	read, err := Parse([]byte("problem = \"equation\"\n[data]\ngrid = 129\n[equation]\ndims = 2\n" +
		"text = [\"u_t = lap(u) + v\", \"v_t = k*u\"]\nparameters = { k = 0.5 }\n"))
	if err != nil || read.Data.Grid != 129 || read.Equation.Text != "u_t = lap(u) + v; v_t = k*u" ||
		read.Equation.Parameters != "k = 0.5" {
		t.Errorf("%+v, %v", read.Equation, err)
	}
}

// The gain of the paper's features suits only the paper's inputs, so another equation gets features that suit inputs
// of any size.
func TestAnotherTextBringsItsFeatures(t *testing.T) {
	for dims, grid := range map[string]int{"1": 257, "2": 65} {
		c := Reference()
		if err := Assign(&c, "data.train=99", "features.count=77", "equation.text=u_t = nu*lap(u) - u",
			"equation.dims="+dims); err != nil {
			t.Fatal(err)
		}
		if want := textConfig(t); c.Features.RMS != 1 || c.Train != want.Train && dims == "1" || c.Data.Grid != grid ||
			c.Data.Train != 99 || c.Features.Count != 77 || c.Equation.Parameters != "nu = 0.01" || c.Validate() != nil {
			t.Errorf("%s: %+v, %v", dims, c, c.Validate())
		}
	}
	tuned, _ := PresetByName("burgers-tuned")
	before := tuned.Features
	if err := Assign(&tuned, "equation.text=u_t = nu*u_xx"); err != nil || tuned.Features != before {
		t.Errorf("features by the rms became %+v, %v", tuned.Features, err)
	}
}

// Every preset is valid and documents the choice of its values. Those of equations name their source, and all but those
// of files have an error to expect.
func TestPresetFilesSayWhatTheyAre(t *testing.T) {
	for _, p := range Presets() {
		complete := p.Config
		if complete.Of().Files {
			complete.Data.TrainFile = cmp.Or(complete.Data.TrainFile, "pairs.npz") // the user's
		}
		if known := p.Error > 0 && p.Error < 1; known == complete.Of().Files {
			t.Errorf("%s: the error %g is expected", p.Name, p.Error)
		}
		invalid := complete.Validate()
		sourced := p.Source != "" || p.Of != "" || p.Config.Problem != TextEquation
		if p.Summary == "" || !sourced || p.Note == "" || invalid != nil {
			t.Errorf("%s: summary %q, source %q, note %q, %v", p.Name, p.Summary, p.Source, p.Note, invalid)
		}
	}
}
