// Package pickle reads the structure of Python's pickles: lists, dicts, texts, numbers, and objects by the name of the
// function that would make them. It never calls that function, and knows none: what an object means is for the caller
// to decide. So no code of a file is ever executed.
package pickle

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/cursor"
)

// The values of a pickle are nil (None, and numbers whose value no array needs), bool, int64, float64, string, and:
type (
	// Tuple is a tuple of Python.
	Tuple []any

	// Collection is a list or a set, or a dict with a key before each value.
	Collection struct {
		Dict  bool
		Items []any
	}

	// Global is the name of a class or a function, as "module name".
	Global string

	// Object is what a class or a function would return.
	Object struct {
		Made      Global // by this class or function
		Arguments Tuple
		State     any          // that the object would be given afterwards; nil if none
		Items     []Collection // that would be added to the object, as to a list or a dict
	}

	// Persistent stands for an object outside of the pickle.
	Persistent struct{ ID any }

	// Bytes are bytes in the pickle. Only short ones are in memory.
	Bytes struct {
		At      int64 // position of the first byte in the pickle
		Length  int64
		Content []byte // nil if they are longer than maxShort
	}

	mark struct{}
)

const (
	maxShort = 1 << 10 // of bytes that are kept in memory
	maxText  = 1 << 20
	maxTexts = 1 << 24 // of all texts together
	maxSteps = 1 << 21 // instructions, each of which makes one object at most
)

// Begins reports whether content that begins with start is a pickle of protocol 2 to 5, and not an old file of PyTorch,
// which is several pickles and numbers after them.
func Begins(start []byte) bool {
	const torch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46" // an old file, which package torch reads
	if len(start) < 3 || strings.HasPrefix(string(start), torch) {
		return false
	}
	protocol := start[1]
	return start[0] == 0x80 && protocol >= 2 && protocol <= 5
}

// machine runs instructions.
type machine struct {
	in    *bufio.Reader
	at    int64 // position of the next byte
	texts int64 // bytes of texts so far
	stack []any
	memo  map[uint64]any
}

// Load returns the value of the pickle that in begins with. The error is a cursor.Damaged if the pickle is damaged, too
// large, or has unknown instructions, or an error of in.
func Load(in io.Reader) (value any, err error) {
	value, _, err = load(in)
	return value, err
}

// LoadAt returns the value of the pickle at a position of a file of size bytes, and the position after it. It returns the
// errors of Load. Positions in the value are counted from the beginning of the pickle.
func LoadAt(in io.ReaderAt, at, size int64) (value any, end int64, err error) {
	value, length, err := load(io.NewSectionReader(in, at, size-at))
	return value, at + length, err
}

// load runs the instructions of a pickle, and returns its value and its length.
func load(in io.Reader) (value any, length int64, err error) {
	m := machine{in: bufio.NewReader(in), memo: map[uint64]any{}}
	err = cursor.Attempt(func() {
		for steps := 0; ; steps++ {
			op := byte(m.uint(1))
			if op == '.' {
				value = m.pop()
				return
			}
			if steps == maxSteps {
				cursor.Damage("has more than %d instructions", maxSteps)
			}
			m.step(op)
		}
	})
	return value, m.at, err
}

// check ends the reading because of an error of the input.
func check(err error) {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		cursor.Damage("ends too early")
	}
	if err != nil {
		cursor.End(err)
	}
}

// take returns the next n bytes.
func (m *machine) take(n uint64) []byte {
	if n > maxText {
		cursor.Damage("has a text of %d bytes, or ends too early", n)
	}
	m.texts += int64(n)
	if m.texts > maxTexts {
		cursor.Damage("has texts of more than %d bytes", maxTexts)
	}
	taken := make([]byte, n)
	_, err := io.ReadFull(m.in, taken)
	check(err)
	m.at += int64(n)
	return taken
}

// uint returns a number of n bytes, at most eight, the least significant first.
func (m *machine) uint(n int) uint64 {
	var word [8]byte
	_, err := io.ReadFull(m.in, word[:n])
	check(err)
	m.at += int64(n)
	return binary.LittleEndian.Uint64(word[:])
}

// bytes pushes the next n bytes, without their content if they are many.
func (m *machine) bytes(n uint64) {
	if n <= maxShort {
		at := m.at
		content := m.take(n)
		m.push(Bytes{At: at, Length: int64(n), Content: content})
		return
	}
	if n > math.MaxInt64/2 {
		cursor.Damage("ends too early")
	}
	m.push(Bytes{At: m.at, Length: int64(n)})
	_, err := io.CopyN(io.Discard, m.in, int64(n))
	check(err)
	m.at += int64(n)
}

// line returns the rest of a line.
func (m *machine) line() string {
	var text []byte
	for {
		b := byte(m.uint(1))
		if b == '\n' {
			return string(text)
		}
		if len(text) == maxShort {
			cursor.Damage("has a line of more than %d bytes", maxShort)
		}
		text = append(text, b)
	}
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

func isMark(v any) bool {
	_, is := v.(mark)
	return is
}

func (m *machine) top() any {
	last := len(m.stack) - 1
	if last < 0 || isMark(m.stack[last]) {
		cursor.Damage("takes an object from an empty stack")
	}
	return m.stack[last]
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
		if isMark(m.stack[i]) {
			items := m.last(len(m.stack) - i - 1)
			m.stack = m.stack[:i]
			return items
		}
	}
	cursor.Damage("looks for a mark that its stack does not have")
	return nil
}

// operands contains the bytes of the numbers that follow instructions.
var operands = map[byte]int{
	0x80: 1,
	'K':  1,
	'M':  2,
	'J':  4,
	0x8a: 1,
	0x8b: 4,
	'X':  4,
	0x8c: 1,
	0x8d: 8,
	'B':  4,
	'C':  1,
	0x8e: 8,
	0x96: 8,
	'U':  1,
	'T':  4,
	'q':  1,
	'r':  4,
	'h':  1,
	'j':  4,
	0x95: 8,
}

// step executes an instruction.
func (m *machine) step(op byte) {
	n := m.uint(operands[op])
	switch op {
	case 0x80, 0x95: // PROTO and FRAME
	case '(':
		m.push(mark{})
	case '0':
		m.pop()
	case '1':
		m.toMark()
	case '2':
		m.push(m.top())
	case '}':
		m.push(&Collection{Dict: true})
	case ']', 0x8f: // a list, a set
		m.push(&Collection{})
	case ')':
		m.push(Tuple{})
	case 'N':
		m.push(nil)
	case 0x88:
		m.push(true)
	case 0x89:
		m.push(false)
	case 'G': // the one number with the most significant byte first
		m.push(math.Float64frombits(binary.BigEndian.Uint64(m.take(8))))
	case 'K', 'M':
		m.push(int64(n))
	case 'J':
		m.push(int64(int32(n)))
	case 0x8a, 0x8b:
		m.long(n)
	case 'X', 0x8c, 0x8d:
		m.push(string(m.take(n)))
	case 'B', 'C', 0x8e, 0x96, 'U', 'T': // the last two are texts of Python 2, which are bytes
		m.bytes(n)
	case 'q', 'r':
		m.memo[n] = m.top()
	case 0x94: // MEMOIZE
		m.memo[uint64(len(m.memo))] = m.top()
	case 'h', 'j':
		v, ok := m.memo[n]
		if !ok {
			cursor.Damage("recalls an object that it has not kept")
		}
		m.push(v)
	case 't':
		m.push(Tuple(m.toMark()))
	case 0x85, 0x86, 0x87:
		m.push(Tuple(m.last(int(op) - 0x84)))
	case 'l':
		m.push(&Collection{Items: m.toMark()})
	case 'd':
		items := m.toMark()
		m.push(&Collection{Dict: true})
		m.add(items, true)
	case 'a':
		m.add(m.last(1), false)
	case 'e', 0x90:
		m.add(m.toMark(), false)
	case 0x91: // FROZENSET
		m.push(&Collection{Items: m.toMark()})
	case 's':
		m.add(m.last(2), true)
	case 'u':
		m.add(m.toMark(), true)
	case 'c':
		module := m.line()
		m.push(Global(module + " " + m.line()))
	case 0x93: // STACK_GLOBAL
		parts := m.last(2)
		m.push(Global(text(parts[0]) + " " + text(parts[1])))
	case 'Q':
		m.push(Persistent{m.pop()})
	case 'R', 0x81: // REDUCE, NEWOBJ
		m.object(2)
	case 0x92: // NEWOBJ_EX, which has named arguments as well
		m.object(3)
	case 'b':
		state := m.pop()
		if object, ok := m.top().(*Object); ok {
			object.State = state
		} else if _, ok := m.top().(*Collection); !ok { // attributes of an OrderedDict hold nothing of its items
			cursor.Damage("gives a state to something that is no object")
		}
	default:
		cursor.Damage("has the instruction 0x%02x, which no array needs", op)
	}
}

// text returns a text, which a name must be.
func text(v any) string {
	name, ok := v.(string)
	if !ok || strings.ContainsAny(name, "\n ") {
		cursor.Damage("has a name that is no text")
	}
	return name
}

// long pushes an integer of n bytes. One that int64 does not hold becomes None, since no array needs it.
func (m *machine) long(n uint64) {
	if n > 8 {
		m.take(n)
		m.push(nil)
		return
	}
	unused := 64 - 8*n
	m.push(int64(m.uint(int(n))<<unused) >> unused)
}

// object pushes what a function would return; its name and its arguments are the last items.
func (m *machine) object(items int) {
	parts := m.last(items)
	made, ok := parts[0].(Global)
	arguments, tuple := parts[1].(Tuple)
	if !tuple || !ok {
		m.push(&Object{Made: "an object of unknown kind"})
		return
	}
	if made == "collections OrderedDict" && len(arguments) == 0 {
		m.push(&Collection{Dict: true})
		return
	}
	m.push(&Object{Made: made, Arguments: arguments})
}

// add appends items, to a dict as pairs of key and value, to the object on top of the stack.
func (m *machine) add(items []any, pairs bool) {
	if pairs && len(items)%2 != 0 {
		cursor.Damage("has a key without a value")
	}
	switch into := m.top().(type) {
	case *Collection:
		if into.Dict != pairs {
			cursor.Damage("adds to an object that is neither list nor dict")
		}
		into.Items = append(into.Items, items...)
	case *Object:
		into.Items = append(into.Items, Collection{Dict: pairs, Items: items})
	default:
		cursor.Damage("adds to an object that is neither list nor dict")
	}
}
