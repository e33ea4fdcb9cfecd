// This file reads the few instructions of Python's pickles with which torch.save writes tensors, and refuses all
// others: no name of a module is ever looked up, nothing of the file is run.

package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// What a pickle can hold here: nil, bool, int64, float64, string, and these.
type (
	list   struct{ items []any }
	tuple  []any
	dict   struct{ keys, values []any }
	global string // "module name", only of known ones
	// storage is a piece of memory that stands in a file of its own.
	storage struct {
		kind string // FloatStorage, ...
		key  string
		size int64 // elements
	}
	// tensor is a view of a storage.
	tensor struct {
		of            storage
		offset        int64
		shape, stride []int64
	}
	mark struct{}
)

// globals are the names that torch.save writes for tensors in dicts, lists and tuples.
var globals = map[string]bool{
	"torch._utils _rebuild_tensor_v2": true, "torch._utils _rebuild_parameter": true, "collections OrderedDict": true,
	"torch FloatStorage": true, "torch DoubleStorage": true, "torch HalfStorage": true,
	"torch LongStorage": true,
	"torch IntStorage":  true, "torch ShortStorage": true, "torch CharStorage": true, "torch ByteStorage": true,
	"torch BoolStorage": true,
}

const maxItems = 1 << 16 // on the stack and in the memo

var errShort = errors.New("it ends too early")

// refused is an instruction, or a name, that is never followed.
type refused string

func (r refused) Error() string { return string(r) }

type machine struct {
	b     []byte
	stack []any
	memo  map[uint32]any
	made  int // objects
}

// unpickle runs the instructions and returns what is left at the end.
func unpickle(b []byte) (any, error) {
	m := machine{b: b, memo: map[uint32]any{}}
	for {
		done, err := m.step()
		if err != nil {
			return nil, err
		}
		if done {
			return m.pop()
		}
		if m.made++; len(m.stack) > maxItems || len(m.memo) > maxItems || m.made > 16*maxItems {
			return nil, refused("has too many parts")
		}
	}
}

func (m *machine) take(n int) ([]byte, error) {
	if n < 0 || n > len(m.b) {
		return nil, errShort
	}
	b := m.b[:n]
	m.b = m.b[n:]
	return b, nil
}

// number is a little-endian number of n bytes.
func (m *machine) number(n int) (uint64, error) {
	b, err := m.take(n)
	if err != nil {
		return 0, err
	}
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:]), nil
}

func (m *machine) line() (string, error) {
	text, _, ok := strings.Cut(string(m.b[:min(len(m.b), 256)]), "\n")
	if !ok {
		return "", errShort
	}
	m.b = m.b[len(text)+1:]
	return text, nil
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

func (m *machine) pop() (any, error) {
	if len(m.stack) == 0 {
		return nil, errors.New("its stack is empty")
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	if v == (mark{}) {
		return nil, errors.New("its stack is empty")
	}
	return v, nil
}

// toMark takes what is above the last mark.
func (m *machine) toMark() ([]any, error) {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if m.stack[i] == any(mark{}) {
			items := append([]any{}, m.stack[i+1:]...)
			m.stack = m.stack[:i]
			return items, nil
		}
	}
	return nil, errors.New("its stack has no mark")
}

func (m *machine) last(n int) ([]any, error) {
	items := make([]any, n)
	for i := n - 1; i >= 0; i-- {
		v, err := m.pop()
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	return items, nil
}

// text pushes a text whose length has so many bytes.
func (m *machine) text(lengthBytes int) error {
	n, err := m.number(lengthBytes)
	if err != nil {
		return err
	}
	b, err := m.take(int(min(n, math.MaxInt32)))
	m.push(string(b))
	return err
}

// step carries out an instruction, and reports whether it was the last.
func (m *machine) step() (done bool, err error) {
	op, err := m.take(1)
	if err != nil {
		return false, err
	}
	switch op[0] {
	case '.':
		return true, nil
	case 0x80: // PROTO
		_, err = m.take(1)
	case 0x95: // FRAME
		_, err = m.take(8)
	case '(':
		m.push(mark{})
	case '}':
		m.push(&dict{})
	case ']':
		m.push(&list{})
	case ')':
		m.push(tuple{})
	case 'N':
		m.push(nil)
	case 0x88:
		m.push(true)
	case 0x89:
		m.push(false)
	case 'K', 'M', 'J', 0x8a:
		err = m.integer(op[0])
	case 'G':
		var b []byte
		if b, err = m.take(8); err == nil {
			m.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
	case 'X':
		err = m.text(4)
	case 0x8c:
		err = m.text(1)
	case 'q', 'r', 0x94:
		err = m.keep(op[0])
	case 'h', 'j':
		err = m.recall(op[0])
	case 't':
		var items []any
		if items, err = m.toMark(); err == nil {
			m.push(tuple(items))
		}
	case 0x85, 0x86, 0x87:
		var items []any
		if items, err = m.last(int(op[0]) - 0x84); err == nil {
			m.push(tuple(items))
		}
	case 'a', 'e', 's', 'u':
		err = m.add(op[0])
	case 'c':
		err = m.name()
	case 'Q':
		err = m.persistent()
	case 'R':
		err = m.reduce()
	default:
		err = refused(fmt.Sprintf("has the instruction 0x%02x, which tensors do not need", op[0]))
	}
	return false, err
}

func (m *machine) integer(op byte) error {
	bytes := map[byte]int{'K': 1, 'M': 2, 'J': 4}[op]
	if op == 0x8a {
		n, err := m.number(1)
		if err != nil || n > 8 {
			return errors.Join(err, errors.New("it has an integer of more than 8 bytes"))
		}
		bytes = int(n)
	}
	v, err := m.number(bytes)
	if op == 'J' {
		v = uint64(int64(int32(v)))
	} else if op == 0x8a && bytes > 0 { // signed
		v = uint64(int64(v<<(64-8*bytes)) >> (64 - 8*bytes))
	}
	m.push(int64(v))
	return err
}

// keep stores the top of the stack in the memo.
func (m *machine) keep(op byte) error {
	at := uint64(len(m.memo))
	var err error
	if op != 0x94 {
		at, err = m.number(map[byte]int{'q': 1, 'r': 4}[op])
	}
	if err == nil && len(m.stack) == 0 {
		err = errors.New("its stack is empty")
	}
	if err == nil {
		m.memo[uint32(at)] = m.stack[len(m.stack)-1]
	}
	return err
}

func (m *machine) recall(op byte) error {
	at, err := m.number(map[byte]int{'h': 1, 'j': 4}[op])
	v, ok := m.memo[uint32(at)]
	if err == nil && !ok {
		err = errors.New("it recalls what it has not kept")
	}
	m.push(v)
	return err
}

// add puts one or more things into a list or a dict.
func (m *machine) add(op byte) (err error) {
	var items []any
	switch op {
	case 'a':
		items, err = m.last(1)
	case 's':
		items, err = m.last(2)
	default:
		items, err = m.toMark()
	}
	if err != nil {
		return err
	}
	if len(m.stack) == 0 {
		return errors.New("its stack is empty")
	}
	switch into := m.stack[len(m.stack)-1].(type) {
	case *list:
		if op == 'a' || op == 'e' {
			into.items = append(into.items, items...)
			return nil
		}
	case *dict:
		if (op == 's' || op == 'u') && len(items)%2 == 0 {
			for i := 0; i < len(items); i += 2 {
				into.keys, into.values = append(into.keys, items[i]), append(into.values, items[i+1])
			}
			return nil
		}
	}
	return errors.New("it adds to what is neither list nor dict")
}

// name pushes one of the names that are known.
func (m *machine) name() error {
	module, err := m.line()
	if err != nil {
		return err
	}
	name, err := m.line()
	if err != nil {
		return err
	}
	g := module + " " + name
	if !globals[g] {
		return refused(fmt.Sprintf("refers to %s.%s, which tensors do not need", module, name))
	}
	m.push(global(g))
	return nil
}

// persistent pushes a storage: ('storage', type, key, device, number of elements).
func (m *machine) persistent() error {
	v, err := m.pop()
	if err != nil {
		return err
	}
	id, ok := v.(tuple)
	if !ok || len(id) != 5 || id[0] != "storage" {
		return errors.New("it refers to something else than a storage")
	}
	kind, known := id[1].(global)
	key, named := id[2].(string)
	size, counted := id[4].(int64)
	kindName, ofTorch := strings.CutPrefix(string(kind), "torch ")
	if !known || !named || !counted || !ofTorch || !strings.HasSuffix(kindName, "Storage") || size < 0 {
		return errors.New("it has a storage of another form")
	}
	m.push(storage{kindName, key, size})
	return nil
}

// reduce makes a tensor, or an empty dict.
func (m *machine) reduce() error {
	parts, err := m.last(2)
	if err != nil {
		return err
	}
	arguments, ok := parts[1].(tuple)
	called, known := parts[0].(global)
	if !ok || !known {
		return refused("calls what tensors do not need")
	}
	switch called {
	case "collections OrderedDict":
		if len(arguments) == 0 {
			m.push(&dict{})
			return nil
		}
	case "torch._utils _rebuild_parameter": // of a tensor
		if len(arguments) == 3 {
			if t, ok := arguments[0].(tensor); ok {
				m.push(t)
				return nil
			}
		}
	case "torch._utils _rebuild_tensor_v2":
		if len(arguments) >= 4 {
			of, a := arguments[0].(storage)
			offset, b := arguments[1].(int64)
			shape, c := integers(arguments[2])
			stride, d := integers(arguments[3])
			if a && b && c && d && len(shape) == len(stride) {
				m.push(tensor{of, offset, shape, stride})
				return nil
			}
		}
	}
	return errors.New("it makes a tensor of another form")
}

func integers(v any) ([]int64, bool) {
	t, ok := v.(tuple)
	all := []int64{}
	for _, item := range t {
		n, whole := item.(int64)
		ok = ok && whole
		all = append(all, n)
	}
	return all, ok
}
