// This file finds plain numbers in a pickle that belong to the items of a list: one for each.

package pickle

import (
	"fmt"

	"rfm/solver/dataset/npy"
)

// Numbers lists arrays of plain numbers of Python: those of lists of numbers alone, and those that each item of a list
// has under one key, as a parameter beside the arrays of each sample. "*" stands for the number of the item in names.
// Other numbers, such as settings of a training, are ignored.
func Numbers(value any) (all []npy.Member) {
	n := numbers{}
	n.find(value, "", 0)
	return n.all
}

// numbers collects arrays of numbers.
type numbers struct {
	all  []npy.Member
	seen int
}

// find looks for lists in a value with a name.
func (n *numbers) find(v any, name string, depth int) {
	n.seen++
	isTooDeep := depth > maxDepth || len(name) > maxName
	if n.seen > maxObjects || len(n.all) > maxArrays || isTooDeep {
		return
	}
	switch v := v.(type) {
	case *Collection:
		if !v.Dict {
			n.list(v.Items, name, depth)
			return
		}
		for i := 0; i+1 < len(v.Items); i += 2 {
			key := keyOf(v.Items[i])
			n.find(v.Items[i+1], under(name, key), depth+1)
		}
	case Tuple:
		n.list(v, name, depth)
	}
}

// list adds the numbers of the items of a list.
func (n *numbers) list(items []any, name string, depth int) {
	if len(items) < least {
		return
	}
	const many = 8 // items of a list of numbers; a few, or whole ones, are settings
	_, whole := items[0].(int64)
	if len(items) >= many && !whole && n.add(items, name) {
		return
	}
	first, names := fieldsOf(items[0])
	for i := range first {
		column := make([]any, 0, len(items))
		for _, item := range items {
			fields, keys := fieldsOf(item)
			if len(fields) != len(first) || keys[i] != names[i] {
				return // the items are of different kinds
			}
			column = append(column, fields[i])
		}
		n.add(column, under(name, "*."+names[i]))
	}
}

// fieldsOf returns the values of a dict or a tuple, and their keys.
func fieldsOf(v any) (fields []any, names []string) {
	switch v := v.(type) {
	case *Collection:
		if !v.Dict {
			return nil, nil
		}
		for i := 0; i+1 < len(v.Items); i += 2 {
			names = append(names, keyOf(v.Items[i]))
			fields = append(fields, v.Items[i+1])
		}
	case Tuple:
		for i, item := range v {
			names = append(names, fmt.Sprint(i))
			fields = append(fields, item)
		}
	}
	return fields, names
}

// add makes an array of some values if all of them are numbers.
func (n *numbers) add(values []any, name string) bool {
	data := make([]float64, 0, len(values))
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			data = append(data, v)
		case int64:
			data = append(data, float64(v))
		default:
			return false
		}
	}
	array := npy.Named{
		Name:  name,
		Array: npy.Array{Shape: npy.Shape{len(data)}, Data: data},
	}
	n.all = append(n.all, array.Member())
	return true
}
