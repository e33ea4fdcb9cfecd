// This file is parts of arrays, written as in NumPy: "tensor[:, 0]", "a[:1000, ::64]", "[..., 1]" of an array without a
// name.

package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// section is the indices first + i*step of an axis, i from 0 to count-1; a single one drops the axis.
type section struct {
	first, step, count int
	single             bool
}

// part is an array of which an index keeps some.
type part struct {
	Member
	whole    []int // its shape
	sections []section
}

// part finds the array that a name means and what of it. A name that a member has means that, brackets and all; behind
// others one index may follow another.
func (f *File) part(name string) (part, error) {
	at := strings.LastIndexByte(name, '[')
	if at < 0 || !strings.HasSuffix(name, "]") || slices.ContainsFunc(f.Members,
		func(m Member) bool { return m.Name == name }) {
		m, err := f.whole(name)
		return part{Member: m, whole: m.Shape}, err
	}
	p, err := f.part(name[:at])
	if err != nil {
		return p, err
	}
	index := name[at+1 : len(name)-1]
	inner, err := sections(index, p.Shape)
	if err != nil {
		return p, &fault.Data{Where: f.Name, What: fmt.Sprintf("has %q of shape %v, of which there is no [%s]: %v", name[:at],
			p.Shape, index, err), Do: "give an index or a slice for each axis, as in NumPy: [:, 0] or [:1000, ::64]"}
	}
	p.Shape = []int{}
	if p.sections == nil {
		p.sections = inner
	} else {
		p.sections = slices.Clone(p.sections)
		for d, axis := 0, 0; d < len(p.sections); d++ {
			if s := &p.sections[d]; !s.single {
				i := inner[axis]
				*s = section{first: s.first + i.first*s.step, step: s.step * i.step, count: i.count, single: i.single}
				axis++
			}
		}
	}
	for _, s := range p.sections {
		if !s.single {
			p.Shape = append(p.Shape, s.count)
		}
	}
	return p, nil
}

// count is how many elements the part has.
func (p part) count() int {
	count := 1
	for _, n := range p.Shape {
		count *= n
	}
	return count
}

// sections reads an index of an array of the given shape.
func sections(index string, shape []int) ([]section, error) {
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
			return nil, fmt.Errorf("%q is no slice", word)
		}
		values := [3]int{0, shape[d], 1}
		for i, text := range numbers {
			if text = strings.TrimSpace(text); text == "" && len(numbers) > 1 {
				continue
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, fmt.Errorf("%q is no whole number", text)
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

// selection is what of the whole array's runs belongs to the part, with the positions that strides give its axes.
func (p part) selection(strides []int, s npy.Selection) npy.Selection {
	whole := npy.Strides(p.whole)
	fastest := len(p.whole) - 1
	if p.Order == Fortran {
		fastest = 0
	}
	each := make([]int, len(p.whole)) // stride of the part along each axis of the whole
	for d, axis := 0, 0; d < len(p.whole); d++ {
		if !p.sections[d].single {
			each[d] = strides[axis]
			axis++
		}
	}
	// inside is the part's run, the first of its values and the distance of the following ones.
	inside := func(run npy.Run) (own npy.Run, from, every int) {
		at := run.At
		for d, stride := range whole {
			i := at / stride
			at %= stride
			s := p.sections[d]
			if d == fastest {
				k := max(0, (i-s.first+s.step-1)/s.step)
				own.Count = max(0, min(s.count, (i+run.Count-1-s.first+s.step)/s.step)-k)
				own.Step, from, every = each[d], s.first+k*s.step-i, s.step
				own.At += k * each[d]
				continue
			}
			k := i - s.first
			if k < 0 || k%s.step != 0 || k/s.step >= s.count {
				return npy.Run{}, 0, 0
			}
			own.At += k / s.step * each[d]
		}
		return own, from, every
	}
	var gathered []float64
	return npy.Selection{
		Want: func(run npy.Run) bool {
			own, _, _ := inside(run)
			return own.Count > 0 && (s.Want == nil || s.Want(own))
		},
		Put: func(run npy.Run, values []float64) bool {
			own, from, every := inside(run)
			if own.Count == 0 || s.Want != nil && !s.Want(own) {
				return true
			}
			if every == 1 {
				return s.Put(own, values[from:from+own.Count])
			}
			gathered = gathered[:0]
			for i := range own.Count {
				gathered = append(gathered, values[from+i*every])
			}
			return s.Put(own, gathered)
		},
	}
}
