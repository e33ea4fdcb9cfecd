// This file is the program of the README: the model's formula in NumPy.

package export

import (
	"fmt"
	"strings"
)

// program evaluates the model for the first exported test inputs and compares with the exported predictions; empty if there are none,
// or if functions of the model would have to be interpolated.
func (c *content) program(f Format) string {
	inputs, ok := c.array("a_test")
	predictions, have := c.array("predicted_test")
	if !ok || !have || inputs.Shape[0] != predictions.Shape[0] {
		return ""
	}
	intervals := predictions.Shape[1] - 1
	if (c.model.FinestGrid()-1)%intervals != 0 || c.model.Offset != nil && c.offsetIntervals()%intervals != 0 {
		return ""
	}
	step := (inputs.Shape[1] - 1) / intervals
	load := map[Format]string{
		NPZ:  `np.load("%s.npz")["%s"]`,
		NPY:  `np.load("%[2]s.npy")`,
		CSV:  `np.loadtxt("%[2]s.csv", delimiter=",", ndmin=2)`,
		JSON: `np.array(json.load(open("%s.json"))["%s"], float)`,
	}[f]
	read := func(group, name string, shape []int) string {
		text := fmt.Sprintf(load, group, name)
		if f == CSV && len(shape) == 3 {
			text += fmt.Sprintf(".reshape(-1, %d, %d)", shape[1], shape[2])
		}
		return text
	}
	a := read("data", "a_test", inputs.Shape)
	a += "[:10"
	if step > 1 {
		a += strings.Repeat(fmt.Sprintf(", ::%d", step), len(inputs.Shape)-1)
	}
	imports, formula := c.model.Map.NumPy()
	return "import json, numpy as np\n" + imports + `model = np.load("model.npz")
p, alpha = json.loads(model["meta.json"])["map"], model["alpha"]
a = ` + a + "]\n" + c.formula(formula) + "print(abs(u - " + read("predictions", "predicted_test", predictions.Shape) + "[:10]).max())\n"
}

// array is an exported array.
func (c *content) array(name string) (array, bool) {
	for _, g := range c.groups {
		for _, a := range g.arrays {
			if a.name == name {
				return a, true
			}
		}
	}
	return array{}, false
}

// formula sets u, predictions of shape a.shape.
func (c *content) formula(program string) string {
	if c.model.Offset == nil {
		return program
	}
	program += fmt.Sprintf("s = %d//(a.shape[1] - 1)\n", c.offsetIntervals())
	if c.model.Domain().Dims == 2 {
		return program + "u += model[\"offset\"][::s, ::s]\n"
	}
	return program + "u += model[\"offset\"][::s]\n"
}

// offsetIntervals is the number of intervals, along an axis, of the grid of the offset.
func (c *content) offsetIntervals() int {
	return c.model.Domain().PointsOf(c.model.Offset) - 1
}
