// This file implements parts of arrays, written as in NumPy: "tensor[:, 0]", "a[:1000, ::64]", "[..., 1]" of an array
// without a name.

package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/npy"
)

// section selects the indices first + i*step of an axis, i from 0 to count-1; a single one drops the axis.
type section struct {
	first, step, count int
	single             bool
}

// sectionsOf parses an index of an array of the given shape.
func sectionsOf(index string, shape []int) ([]section, error) {
	words := strings.Split(index, ",")
	at := slices.IndexFunc(words, func(w string) bool { return strings.TrimSpace(w) == "..." })
	if at < 0 {
		at, words = len(words), append(words, "...")
	}
	words = slices.Concat(words[:at], slices.Repeat([]string{":"}, max(0, len(shape)-len(words)+1)), words[at+1:])
	if len(words) > len(shape) {
		return nil, fmt.Errorf("it has %d axes", len(shape))
	}
	all := make([]section, len(shape))
	for d, word := range words {
		numbers := strings.Split(word, ":")
		if len(numbers) > 3 {
			return nil, fmt.Errorf("%q is not a slice", word)
		}
		values := [3]int{0, shape[d], 1}
		for i, text := range numbers {
			if text = strings.TrimSpace(text); text == "" && len(numbers) > 1 {
				continue
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, fmt.Errorf("%q is not a whole number", text)
			}
			if i < 2 && n < 0 {
				n += shape[d]
			}
			values[i] = n
		}
		if len(numbers) == 1 {
			if values[0] < 0 || values[0] >= shape[d] {
				return nil, fmt.Errorf("axis %d has %d", d, shape[d])
			}
			all[d] = section{first: values[0], step: 1, count: 1, single: true}
			continue
		}
		first, end, step := min(max(values[0], 0), shape[d]), min(max(values[1], 0), shape[d]), values[2]
		if step < 1 {
			return nil, fmt.Errorf("the step is %d", step)
		}
		all[d] = section{first: first, step: step, count: max(0, (end-first+step-1)/step)}
	}
	return all, nil
}

// within returns the axes of a whole array with the axes of its part: index first + k step of the whole has index k.
func within(sections []section, part []npy.Axis) (whole []npy.Axis) {
	for _, s := range sections {
		along := npy.Axis(func(int) int { return 0 })
		if !s.single {
			along, part = part[0], part[1:]
		}
		whole = append(whole, func(index int) int {
			if k := (index - s.first) / s.step; index >= s.first && k < s.count && s.first+k*s.step == index {
				return along(k)
			}
			return -1
		})
	}
	return whole
}
