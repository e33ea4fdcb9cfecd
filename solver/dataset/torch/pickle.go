// This file reads the few instructions of Python's pickles with which torch.save writes tensors, and refuses all
// others. It never imports a module or executes code of the file.

package torch

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"rfm/solver/dataset/npy"
)

// The values that a pickle may hold: nil, bool, int64, float64, string, and these types.
type (
	// collection is a list, or a dict with a key for each value.
	collection struct {
		dict         bool
		keys, values []any
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

const maxItems = 1 << 16 // on the stack and in the memo

// machine runs instructions. A failure sets err, and all later values are empty.
type machine struct {
	b     []byte
	stack []any
	memo  map[uint64]any
	err   error
}

// unpickle runs the instructions and returns the final value of the stack.
func unpickle(b []byte) (any, error) {
	m := machine{b: b, memo: map[uint64]any{}}
	for made := 0; m.err == nil; made++ {
		op := byte(m.number(1))
		if op == '.' {
			return m.pop(), m.err
		}
		m.step(op)
		if len(m.stack) > maxItems || len(m.memo) > maxItems || made > 16*maxItems {
			m.fail("has too many parts")
		}
	}
	return nil, m.err
}

func (m *machine) fail(what string, values ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(what, values...)
	}
}

func (m *machine) take(n int) []byte {
	if n < 0 || n > len(m.b) {
		m.fail("ends too early")
		return nil
	}
	b := m.b[:n]
	m.b = m.b[n:]
	return b
}

// number reads a little-endian number of n bytes.
func (m *machine) number(n int) uint64 {
	var word [8]byte
	copy(word[:], m.take(n))
	return binary.LittleEndian.Uint64(word[:])
}

// signed reads a signed little-endian number of up to eight bytes.
func (m *machine) signed(n int) int64 {
	if n < 1 || n > 8 {
		if n != 0 {
			m.fail("has an integer of more than 8 bytes")
		}
		return 0
	}
	return int64(m.number(n)<<(64-8*n)) >> (64 - 8*n)
}

func (m *machine) line() string {
	text, _, ok := strings.Cut(string(m.b[:min(len(m.b), 256)]), "\n")
	if !ok {
		m.fail("ends too early")
		return ""
	}
	m.take(len(text) + 1)
	return text
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

func (m *machine) top() any {
	if len(m.stack) == 0 || m.stack[len(m.stack)-1] == any(mark{}) {
		m.fail("takes an object from an empty stack")
		return nil
	}
	return m.stack[len(m.stack)-1]
}

func (m *machine) pop() any {
	v := m.top()
	m.stack = m.stack[:max(0, len(m.stack)-1)]
	return v
}

// last removes and returns the last n items.
func (m *machine) last(n int) []any {
	items := make([]any, n)
	for i := range items {
		items[n-1-i] = m.pop()
	}
	return items
}

// toMark removes and returns the items above the last mark.
func (m *machine) toMark() []any {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if m.stack[i] == any(mark{}) {
			items := append([]any{}, m.stack[i+1:]...)
			m.stack = m.stack[:i]
			return items
		}
	}
	m.fail("looks for a mark that its stack does not have")
	return nil
}

// step executes an instruction.
func (m *machine) step(op byte) {
	switch op {
	case 0x80: // PROTO
		m.take(1)
	case '(':
		m.push(mark{})
	case '}':
		m.push(&collection{dict: true})
	case ']':
		m.push(&collection{})
	case ')':
		m.push(tuple{})
	case 'N':
		m.push(nil)
	case 0x88, 0x89:
		m.push(op == 0x88)
	case 'K', 'M':
		m.push(int64(m.number(map[byte]int{'K': 1, 'M': 2}[op])))
	case 'J':
		m.push(m.signed(4))
	case 0x8a:
		m.push(m.signed(int(m.number(1))))
	case 'G':
		m.push(math.Float64frombits(bits.ReverseBytes64(m.number(8))))
	case 'X': // a text
		m.push(string(m.take(int(min(m.number(4), math.MaxInt32)))))
	case 'q', 'r': // into the memo
		m.memo[m.number(map[byte]int{'q': 1, 'r': 4}[op])] = m.top()
	case 'h', 'j':
		v, ok := m.memo[m.number(map[byte]int{'h': 1, 'j': 4}[op])]
		if !ok {
			m.fail("recalls an object that it has not kept")
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
		module, name := m.line(), ""
		name = m.line()
		if _, storage := types[name]; m.err == nil && !globals[module+" "+name] && !(storage && module == "torch") {
			m.fail("refers to %s.%s, which tensors do not need", module, name)
		}
		m.push(global(module + " " + name))
	case 'Q':
		m.persistent()
	case 'R':
		m.reduce()
	default:
		m.fail("has the instruction 0x%02x, which tensors do not need", op)
	}
}

// add appends items, to a dict as keys and values, to the collection on top of the stack.
func (m *machine) add(items []any, pairs bool) {
	into, ok := m.top().(*collection)
	if !ok || into.dict != pairs || pairs && len(items)%2 != 0 {
		m.fail("adds to an object that is neither list nor dict")
		return
	}
	for i, item := range items {
		if pairs && i%2 == 0 {
			into.keys = append(into.keys, item)
		} else {
			into.values = append(into.values, item)
		}
	}
}

// persistent pushes a storage: ('storage', type, key, device, number of elements).
func (m *machine) persistent() {
	id, ok := m.pop().(tuple)
	if !ok || len(id) != 5 || id[0] != "storage" {
		m.fail("refers to something else than a storage")
		return
	}
	kind, known := id[1].(global)
	key, named := id[2].(string)
	size, counted := id[4].(int64)
	kindName, ofTorch := strings.CutPrefix(string(kind), "torch ")
	if !known || !named || !counted || !ofTorch || !strings.HasSuffix(kindName, "Storage") || size < 0 {
		m.fail("has a storage of another form")
	}
	m.push(storage{kindName, key, size})
}

// reduce makes a tensor, or an empty dict.
func (m *machine) reduce() {
	parts := m.last(2)
	arguments, ok := parts[1].(tuple)
	called, known := parts[0].(global)
	if !ok || !known {
		m.fail("calls a function that tensors do not need")
		return
	}
	switch {
	case called == "collections OrderedDict" && len(arguments) == 0:
		m.push(&collection{dict: true})
		return
	case called == "torch._utils _rebuild_parameter" && len(arguments) == 3: // of a tensor
		if t, ok := arguments[0].(tensor); ok {
			m.push(t)
			return
		}
	case called == "torch._utils _rebuild_tensor_v2" && len(arguments) >= 4:
		of, a := arguments[0].(storage)
		offset, b := arguments[1].(int64)
		shape, c := integers(arguments[2])
		stride, d := integers(arguments[3])
		if a && b && c && d && len(shape) == len(stride) {
			m.push(tensor{of, offset, shape, stride})
			return
		}
	}
	m.fail("makes a tensor of another form")
}

func integers(v any) (all []int, ok bool) {
	t, ok := v.(tuple)
	for _, item := range t {
		n, whole := item.(int64)
		ok = ok && whole && n >= 0
		all = append(all, int(n))
	}
	return all, ok
}
