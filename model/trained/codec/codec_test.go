package codec

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// tree has every kind of field of a part.
type tree struct {
	Grid
	numbers
	Word  string     `json:"word"`
	Leaf  []float64  `json:"leaf" shape:"leaves grid"`
	Root  *mat.Dense `json:"root" shape:"roots 2"`
	Bark  []float64  `json:"bark,omitempty" shape:"leaves"`
	Crown Part       `json:"crown" prefix:"crown_"`
}

type numbers struct {
	Height float64 `json:"height"`
	Rings  []int   `json:"rings,omitempty"`
}

// nest is a part in a part.
type nest struct {
	Eggs []float64 `json:"eggs" shape:"3"`
}

func (n *nest) Sizes() (map[string][]int, error) { return nil, nil }

var kinds = Kinds{"tree": new(tree), "nest": new(nest)}

type memory []npy.Named

func (m memory) Has(name string) bool {
	return slices.ContainsFunc(m, func(a npy.Named) bool { return a.Name == name })
}

func (m memory) Array(name string) (npy.Array, error) {
	i := slices.IndexFunc(m, func(a npy.Named) bool { return a.Name == name })
	if i < 0 {
		return npy.Array{}, Bad("has no array %q", name)
	}
	return m[i].Array, nil
}

func example() *tree {
	return &tree{Grid: GridOf(grid.Square, 3, 1, 2), numbers: numbers{Height: 0.1, Rings: []int{3, 1}}, Word: "<oak>",
		Leaf: make([]float64, 18), Root: mat.NewDense(1, 2, []float64{4, 5}), Crown: &nest{[]float64{1, 2, 3}}}
}

func TestPartsAreReadAsTheyWereWritten(t *testing.T) {
	all := example()
	all.Bark = []float64{7, 8}
	for _, want := range []*tree{example(), all} {
		text, arrays, err := kinds.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := kinds.Decode(text, memory(arrays))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	text, arrays, err := kinds.Encode(example())
	if err != nil || arrays[2].Name != "crown_eggs" || !slices.Equal(arrays[0].Shape, []int{2, 3, 3}) {
		t.Errorf("got %s, %v, %v, want crown_eggs third and a first array of shape (2, 3, 3)", text, arrays, err)
	}
}

func TestPartsThatAreNotReadAreNotWritten(t *testing.T) {
	for what, change := range map[string]func(*tree){
		"lives on a grid":    func(p *tree) { p.Points = 2 },
		"not finite":         func(p *tree) { p.Leaf[3] = math.NaN() },
		"leaves grid":        func(p *tree) { p.Leaf = p.Leaf[:17] },
		`"leaf", want`:       func(p *tree) { p.Leaf = nil },
		"leaves = (2,)":      func(p *tree) { p.Bark = []float64{1, 2, 3} },
		"roots 2 = (-1, 2)":  func(p *tree) { p.Root = mat.NewDense(2, 3, nil) },
		`"crown_eggs", want`: func(p *tree) { p.Crown = &nest{[]float64{1}} },
		"cannot be written":  func(p *tree) { p.Height = math.Inf(1) },
	} {
		p := example()
		change(p)
		_, _, err := kinds.Encode(p)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %q", err, what)
		}
	}
}

func TestOtherTextsAreRefused(t *testing.T) {
	text, arrays, err := kinds.Encode(example())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{`"tree"`, `"bush"`, `unknown kind "bush"`}, {`"height":0.1`, `"height":"x"`, `"height"`},
		{`"height":0.1,`, ``, `no "height"`}, {`"word"`, `"colour":1,"word"`, `"colour"`},
		{`"dims":2`, `"dims":3`, "does not exist"}, {`"dims":2`, `"dims":1`, `"leaf"`}, {`}`, ``, "malformed"},
		{`"points":3`, `"points":1000000000`, "does not exist"}, {`"points":3`, `"aspect":[0,1],"points":3`,
			"does not exist"},
		{`"points":3`, `"aspect":[1,1000000],"points":1000000`, "no more values"}, {`"out":2`, `"out":-2`, "does not exist"},
	} {
		changed := strings.Replace(string(text), c[0], c[1], 1)
		_, err := kinds.Decode([]byte(changed), memory(arrays))
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: got %v, want %q", changed, err, c[2])
		}
	}
}
