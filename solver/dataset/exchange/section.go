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
	if at := slices.IndexFunc(words, func(w string) bool { return strings.TrimSpace(w) == "..." }); at >= 0 {
		words = slices.Concat(words[:at], slices.Repeat([]string{":"}, max(0, len(shape)-len(words)+1)), words[at+1:])
	}
	if len(words) > len(shape) {
		return nil, fmt.Errorf("it has %d axes", len(shape))
	}
	for len(words) < len(shape) {
		words = append(words, ":")
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

// selection restricts the runs of a whole array to its sections, with the positions that strides give their axes. Along
// each axis, index i of the whole has index k = (i - first) / step in the part.
func selection(m Member, sections []section, strides []int, s npy.Selection) npy.Selection {
	whole := npy.Strides(m.Shape)
	fastest := len(whole) - 1
	if m.Fortran {
		fastest = 0
	}
	each := make([]int, len(whole)) // stride of the part along each axis of the whole
	axis := 0
	for d, section := range sections {
		if !section.single {
			each[d] = strides[axis]
			axis++
		}
	}
	// inside returns the part's run, its first value and the distance of the following values.
	inside := func(run npy.Run) (own npy.Run, from, every int) {
		at := run.At
		for d, stride := range whole {
			i := at / stride
			at %= stride
			s := sections[d]
			k := max(0, (i-s.first+s.step-1)/s.step) // of the first index from i on
			if d == fastest {
				own.Count = max(0, min(s.count, (i+run.Count-1-s.first+s.step)/s.step)-k)
				own.Step, from, every = each[d], s.first+k*s.step-i, s.step
			} else if k >= s.count || s.first+k*s.step != i {
				return npy.Run{}, 0, 0
			}
			own.At += k * each[d]
		}
		return own, from, every
	}
	var gathered []float64
	wanted := func(own npy.Run) bool { return own.Count > 0 && (s.Want == nil || s.Want(own)) }
	return npy.Selection{
		Want: func(run npy.Run) bool {
			own, _, _ := inside(run)
			return wanted(own)
		},
		Put: func(run npy.Run, values []float64) bool {
			own, from, every := inside(run)
			if !wanted(own) {
				return true
			}
			gathered = gathered[:0]
			for i := range own.Count {
				gathered = append(gathered, values[from+i*every])
			}
			return s.Put(own, gathered)
		},
	}
}
