// This file interprets the few instructions of pickles that tensors need. It never executes code of the file.

package torch

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// The values that a pickle may hold: nil, int64, string, and these types.
type (
	// collection is a list, or a dict with a key before each value.
	collection struct {
		dict  bool
		items []any
	}
	tuple  []any
	global string // "module name", only known ones
	// storage is a block of memory in a file of its own.
	storage struct {
		kind string // FloatStorage, ...
		key  string
		size int64 // elements
	}
	// tensor is a view of a storage.
	tensor struct {
		of            storage
		offset        int64
		shape, stride npy.Shape
	}
	mark struct{}
)

// globals contains the names, besides those of storages, that torch.save writes for tensors in dicts, lists and tuples.
var globals = map[string]bool{
	"torch._utils _rebuild_tensor_v2": true, "torch._utils _rebuild_parameter": true, "collections OrderedDict": true,
}

// machine runs instructions.
type machine struct {
	cursor.Cursor
	stack []any
	memo  map[uint64]any
}

// unpickle returns the final value of the stack. Stack and memo grow by one object at most with each instruction.
func unpickle(b []byte) any {
	m := machine{Cursor: cursor.Cursor{Rest: b}, memo: map[uint64]any{}}
	for op := m.Uint(1); op != '.'; op = m.Uint(1) {
		m.step(byte(op))
	}
	return m.pop()
}

func (m *machine) line() string {
	length := bytes.IndexByte(m.Rest[:min(len(m.Rest), 256)], '\n')
	return strings.TrimSuffix(string(m.Take(length+1)), "\n")
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

func (m *machine) top() any {
	if len(m.stack) == 0 || m.stack[len(m.stack)-1] == any(mark{}) {
		cursor.Damage("takes an object from an empty stack")
	}
	return m.stack[len(m.stack)-1]
}

func (m *machine) pop() any {
	v := m.top()
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

// last removes and returns the last n items.
func (m *machine) last(n int) []any {
	items := make([]any, n)
	for i := range slices.Backward(items) {
		items[i] = m.pop()
	}
	return items
}

// toMark removes and returns the items above the last mark.
func (m *machine) toMark() []any {
	for i := range slices.Backward(m.stack) {
		if m.stack[i] == any(mark{}) {
			items := m.last(len(m.stack) - i - 1)
			m.stack = m.stack[:i]
			return items
		}
	}
	cursor.Damage("looks for a mark that its stack does not have")
	return nil
}

// operands contains the bytes of the numbers that follow instructions.
var operands = map[byte]int{0x80: 1, 'K': 1, 'M': 2, 'J': 4, 0x8a: 1, 'G': 8, 'X': 4, 'q': 1, 'r': 4, 'h': 1, 'j': 4}

// step executes an instruction.
func (m *machine) step(op byte) {
	n := m.Uint(operands[op])
	switch op {
	case 0x80: // PROTO
	case '(':
		m.push(mark{})
	case '}':
		m.push(&collection{dict: true})
	case ']':
		m.push(&collection{})
	case ')':
		m.push(tuple{})
	case 'N', 'G', 0x88, 0x89: // None, a float, True, False: tensors do not need their values
		m.push(nil)
	case 'K', 'M':
		m.push(int64(n))
	case 'J':
		m.push(int64(int32(n)))
	case 0x8a: // an integer of n bytes
		if n > 8 {
			cursor.Damage("has an integer of more than 8 bytes")
		}
		m.push(int64(m.Uint(int(n))<<(64-8*n)) >> (64 - 8*n))
	case 'X': // a text
		m.push(string(m.Take(int(min(n, math.MaxInt32)))))
	case 'q', 'r': // into the memo
		m.memo[n] = m.top()
	case 'h', 'j':
		v, ok := m.memo[n]
		if !ok {
			cursor.Damage("recalls an object that it has not kept")
		}
		m.push(v)
	case 't':
		m.push(tuple(m.toMark()))
	case 0x85, 0x86, 0x87:
		m.push(tuple(m.last(int(op) - 0x84)))
	case 'a':
		m.add(m.last(1), false)
	case 'e':
		m.add(m.toMark(), false)
	case 's':
		m.add(m.last(2), true)
	case 'u':
		m.add(m.toMark(), true)
	case 'c':
		module, name := m.line(), m.line()
		if _, storage := types[name]; !globals[module+" "+name] && !(storage && module == "torch") {
			cursor.Damage("refers to %s.%s, which tensors do not need", module, name)
		}
		m.push(global(module + " " + name))
	case 'Q':
		m.persistent()
	case 'R':
		m.reduce()
	default:
		cursor.Damage("has the instruction 0x%02x, which tensors do not need", op)
	}
}

// add appends items, to a dict as pairs of key and value, to the collection on top of the stack.
func (m *machine) add(items []any, pairs bool) {
	into, ok := m.top().(*collection)
	if !ok || into.dict != pairs || pairs && len(items)%2 != 0 {
		cursor.Damage("adds to an object that is neither list nor dict")
	}
	into.items = append(into.items, items...)
}

// persistent pushes a storage: ('storage', type, key, device, number of elements).
func (m *machine) persistent() {
	id := as[tuple](m.pop())
	if len(id) != 5 || id[0] != "storage" {
		cursor.Damage("refers to something else than a storage")
	}
	kind, ok := strings.CutPrefix(string(as[global](id[1])), "torch ")
	s := storage{kind, as[string](id[2]), as[int64](id[4])}
	if !ok || s.size < 0 { // known names of this module are those of storages
		cursor.Damage("has a storage of another form")
	}
	m.push(s)
}

// reduce makes a tensor, or an empty dict.
func (m *machine) reduce() {
	parts := m.last(2)
	called, arguments := as[global](parts[0]), as[tuple](parts[1])
	switch {
	case called == "collections OrderedDict" && len(arguments) == 0:
		m.push(&collection{dict: true})
	case called == "torch._utils _rebuild_parameter" && len(arguments) == 3: // of a tensor
		m.push(as[tensor](arguments[0]))
	case called == "torch._utils _rebuild_tensor_v2" && len(arguments) >= 4:
		t := tensor{as[storage](arguments[0]), as[int64](arguments[1]), integers(arguments[2]), integers(arguments[3])}
		if len(t.shape) != len(t.stride) || slices.Min(append(t.shape, 0)) < 0 {
			cursor.Damage("makes a tensor of another form")
		}
		m.push(t)
	default:
		cursor.Damage("calls %s with other arguments than tensors need", called)
	}
}

// as returns an object of a type, which tensors need at its place.
func as[T any](v any) T {
	object, ok := v.(T)
	if !ok {
		cursor.Damage("makes a tensor of another form")
	}
	return object
}

func integers(v any) (all []int) {
	for _, item := range as[tuple](v) {
		all = append(all, int(as[int64](item)))
	}
	return all
}
