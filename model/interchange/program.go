// This file generates the program of the README, which applies the model with NumPy.

package interchange

import (
	"fmt"
	"strings"

	"rfm/model/engine"
)

// program returns Python code that evaluates the model for the first exported test inputs and compares with the
// exported predictions; empty if there are none, or if these are on a coarser grid of cells.
func (c *content) program(f Format) string {
	inputs, ok := c.array("a_test")
	predictions, have := c.array("predicted_test")
	if !ok || !have || inputs.Shape[0] != predictions.Shape[0] {
		return ""
	}
	domain := c.model.Domain()
	points := func(shape []int) int { return shape[len(shape)-domain.Dims] }
	to := points(predictions.Shape)
	step := domain.Intervals(points(inputs.Shape)) / domain.Intervals(to)
	if domain.Cells && step > 1 { // values are means of cells, not values at points
		return ""
	}
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
	imports := "import numpy as np, rfm\n"
	if f == JSON {
		imports = "import json, numpy as np, rfm\n"
	}
	return imports + "a = " + a + "]\nu = rfm.load(\"" + engine.ModelFile + "\")(a)\nprint(abs(u - " +
		read("predictions", "predicted_test", predictions.Shape) + "[:10]).max())\n"
}

// array returns an exported array.
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
