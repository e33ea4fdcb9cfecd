package unlike

import (
	"fmt"
	"strings"
)

// Found are the deviations of some inputs from the training inputs.
type Found struct {
	Deviations []float64 // 0 at a training input, 1 far from all
	Limit      float64   // beyond which an input is unlike the training inputs
}

// Outside returns the numbers of the inputs that are unlike the training inputs.
func (f Found) Outside() []int {
	all := []int{}
	for i, d := range f.Deviations {
		if d > f.Limit {
			all = append(all, i)
		}
	}
	return all
}

// Line says in one line how unlike the training inputs input i is; empty if it is like them.
func (f Found) Line(i int) string {
	if f.Deviations[i] <= f.Limit {
		return ""
	}
	return fmt.Sprintf("unlike the training inputs: deviation %.2g, among them up to %.2g", f.Deviations[i], f.Limit)
}

// List lists numbers of inputs: of many, the first ten and how many more there are.
func List(numbers []int) string {
	const most = 10
	var words []string
	for _, n := range numbers[:min(most, len(numbers))] {
		words = append(words, fmt.Sprint(n))
	}
	list := strings.Join(words, ", ")
	if len(numbers) > most {
		list += fmt.Sprintf(" and %d more", len(numbers)-most)
	}
	return list
}
