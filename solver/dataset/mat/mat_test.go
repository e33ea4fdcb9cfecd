package mat

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

var noError = filetest.NoError

const double, uint8Class = 6, 9

// More types of data elements, MAT-File Format table 1-1.
const miUint8, miInt16, miUint16, miSingle, miDouble, miInt64, miUint64 = 2, 3, 4, 7, 9, 12, 13

func open(text []byte) ([]npy.Member, error) {
	all, ok, err := Read(bytes.NewReader(text), int64(len(text)), "data.mat", text[:min(len(text), 4096)])
	if !ok {
		err = fault.Bad("data.mat", "", "is not a MAT-file")
	}
	return all, err
}

// array reads the variable with the given name.
func array(all []npy.Member, name string) (npy.Array, error) {
	i := slices.IndexFunc(all, func(m npy.Member) bool { return m.Name == name })
	if i < 0 {
		return npy.Array{}, errors.New("is not there")
	}
	return all[i].Array()
}

// matrix returns 2 x 3 doubles, in rows 1 2 3 and 4 5 6, stored by columns.
func matrix(s scribe, name string) []byte {
	return s.variable(double, name, []int32{2, 3}, s.element(miDouble, s.bytes([]float64{1, 4, 2, 5, 3, 6})))
}

var rows = []float64{1, 2, 3, 4, 5, 6}

func TestBothByteOrdersAndCompression(t *testing.T) {
	for name, text := range map[string][]byte{
		"little":     little.file(matrix(little, "a")),
		"big":        big.file(matrix(big, "a")),
		"compressed": little.file(little.compressed(t, matrix(little, "a"))),
		"both":       big.file(big.compressed(t, matrix(big, "a"))),
		"second": little.file(little.compressed(t, matrix(little, "b")), little.long(miInt8, []byte("odd")),
			matrix(little, "a")),
	} {
		r, err := open(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a, err := array(r, "a"); err != nil || !slices.Equal(a.Shape, []int{2, 3}) || !slices.Equal(a.Data, rows) {
			t.Errorf("%s: got %v, %v, want %v in shape (2, 3)", name, a, err, rows)
		}
	}
}

func TestNumbersStoredNarrowerThanTheirClass(t *testing.T) {
	for kind, data := range map[int]any{
		miInt8: []int8{-1, 2}, miUint8: []uint8{255, 2}, miInt16: []int16{-1, 2}, miUint16: []uint16{65535, 2},
		miInt32:  []int32{-1, 2},
		miUint32: []uint32{1 << 31, 2}, miSingle: []float32{-1.5, 2}, miInt64: []int64{-1, 2}, miUint64: []uint64{1 << 53, 2},
	} {
		want := map[int]float64{miUint8: 255, miUint16: 65535, miUint32: 1 << 31, miSingle: -1.5, miUint64: 1 << 53}[kind]
		if want == 0 {
			want = -1
		}
		for _, s := range []scribe{little, big} {
			r, err := open(s.file(s.variable(double, "a", []int32{2, 1}, s.element(kind, s.bytes(data)))))
			if err != nil {
				t.Errorf("type %d: %v", kind, err)
				continue
			}
			if a, err := array(r, "a"); err != nil || !slices.Equal(a.Data, []float64{want, 2}) {
				t.Errorf("type %d: %v, %v", kind, a.Data, err)
			}
		}
	}
}

func TestEveryClassOfAFileOfSciPy(t *testing.T) {
	// x = numpy.arange(24).reshape(2, 3, 4): float64 and float32 hold x/8, the integers x, logical x%2 == 0; and variables
	// that are not numeric; scipy.io.savemat(..., do_compression=True) of SciPy 1.10.
	text, err := os.ReadFile("testdata/types.mat")
	noError(t, err)
	r, err := open(text)
	noError(t, err)
	numeric, others := 0, map[string]string{}
	for _, v := range r {
		if !v.Readable() {
			others[v.Name] = v.Type
			continue
		}
		if v.Name == "complex" || strings.ContainsAny(v.Name, ".{") { // in a structure or a cell, which other tests read
			continue
		}
		numeric++
		class := strings.NewReplacer("float64", "double", "float32", "single").Replace(v.Name)
		a, err := v.Array()
		if err != nil || v.Type != class || !slices.Equal(a.Shape, []int{2, 3, 4}) || !slices.Equal(v.Shape, a.Shape) {
			t.Errorf("%s: class %s, shape %v, %v", v.Name, v.Type, a.Shape, err)
		}
		for i, got := range a.Data {
			want := float64(i)
			switch {
			case strings.HasPrefix(v.Name, "float"):
				want /= 8
			case v.Name == "logical":
				want = float64((i + 1) % 2)
			}
			if got != want {
				t.Fatalf("%s: element %d is %g, want %g", v.Name, i, got, want)
			}
		}
	}
	if numeric != 11 {
		t.Errorf("%d numeric variables, want 11", numeric)
	}
	for name, class := range map[string]string{"text": "char", "sparse": "sparse"} {
		_, err := array(r, name)
		var data *fault.Data
		if others[name] != class || !errors.As(err, &data) || !strings.Contains(err.Error(), "is of class "+class) {
			t.Errorf("%s: listed as %q, %v", name, others[name], err)
		}
	}
}

func TestDimensionsMayBeUnsigned(t *testing.T) {
	body := slices.Concat(little.long(miUint32, little.bytes([]uint32{double, 0})),
		little.long(miUint32, little.bytes([]uint32{1, 2})), little.element(miInt8, []byte("a")),
		little.element(miUint8, []byte{3, 4}))
	r, err := open(little.file(little.long(miMatrix, body)))
	noError(t, err)
	if a, err := array(r, "a"); err != nil || !slices.Equal(a.Shape, []int{1, 2}) || !slices.Equal(a.Data, []float64{3, 4}) {
		t.Errorf("got %v, %v, want 3 4 in shape (1, 2)", a, err)
	}
	if _, err := open(little.file(little.variable(0, "a", []int32{1, 2}, nil))); err == nil {
		t.Error("a variable of class 0 is read")
	}
}

func TestDamageIsFound(t *testing.T) {
	plain, packed := matrix(little, "a"), little.compressed(t, matrix(little, "a"))
	badSum := slices.Clone(packed)
	badSum[len(badSum)-1] ^= 1
	badCell := little.compressed(t, little.variable(1, "cell", []int32{0, 1}, nil)) // never read later
	badCell[len(badCell)-1] ^= 1
	badInline := little.compressed(t, little.variable(double, "a", []int32{1, 1}, little.element(miUint8, []byte{7})))
	badInline[len(badInline)-1] ^= 1
	lies := little.variable(double, "a", []int32{1000, 1000}, little.long(miDouble, nil))
	copy(lies[len(lies)-8:], little.bytes([]uint32{miDouble, 8000000}))
	huge := little.variable(double, "a", []int32{1 << 30, 1 << 30, 1 << 30}, little.element(miUint8, []byte{1}))
	many := slices.Repeat([][]byte{little.long(miInt8, nil)}, maxElements+1)
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"checksum":       {little.file(badSum), "checksum"},
		"checksum, cell": {little.file(badCell, plain), "checksum"},
		"checksum, tag":  {little.file(badInline), "checksum"},
		"cut":            {little.file(plain[:len(plain)-8]), "truncated"},
		"cut in a tag":   {little.file(plain, []byte{14, 0}), "2 bytes at its end"},
		"cut compressed": {little.file(packed[:len(packed)-1]), "truncated"},
		"no zlib":        {little.file(append(little.bytes([]uint32{miCompressed, 8}), "nonsense"...)), "damaged"},
		"no variable":    {little.file([]byte("nonsense")), "no variable begins at byte 128"},
		"shape and size": {little.file(little.variable(double, "a", []int32{2, 2},
			little.element(miDouble, little.bytes([]float64{1, 2, 3})))), "are no array of shape (2, 2)"},
		"more than there is": {little.file(lies), "no array of shape (1000, 1000)"},
		"impossible ratio": {little.file(little.compressed(t, append(little.bytes([]uint32{miMatrix, 1 << 30}),
			plain[8:]...))), "malformed"},
		"shape overflows": {little.file(huge), "no array of shape"},
		"negative size":   {little.file(little.variable(double, "a", []int32{-1, 2}, nil)), "malformed"},
		"one dimension": {little.file(little.variable(double, "a", []int32{2}, little.element(miUint8, []byte{1, 2}))),
			"malformed"},
		"class": {little.file(little.variable(99, "a", []int32{1, 1}, nil)), "class is 99"},
		"numbers of no type": {little.file(little.variable(double, "a", []int32{1, 1}, little.element(8, make([]byte, 8)))),
			"element type 8"},
		"escape sequence": {little.file(little.variable(double, "\x1b[2J", []int32{1, 1},
			little.element(miUint8, []byte{1}))), "its name is"},
		"name twice": {little.file(plain, plain), `two variables with the name "a"`},
		"too many":   {little.file(many...), "more than 1024 variables"},
		"integers not exact": {little.file(little.variable(14, "a", []int32{1, 1},
			little.element(miInt64, little.bytes(int64(1<<53+1))))), "beyond 2^53"},
		"empty":           {nil, "is not a MAT-file"},
		"some other file": {bytes.Repeat([]byte("text "), 50), "is not a MAT-file"},
		"MATLAB 7.3": {append(little.file()[:124], little.bytes([]uint16{0x0200, 'M'<<8 | 'I'})...),
			"is not a MAT-file"},
		"zeros": {make([]byte, 200), "is not a MAT-file"},
	} {
		r, err := open(test.text)
		if err == nil {
			_, err = array(r, "a")
		}
		filetest.Refused(t, name, err, test.want)
		filetest.Refused(t, name, err, "data.mat")
	}
}

func TestNothingIsAllocatedForNumbersThatAreNotThere(t *testing.T) {
	const count = 1 << 22
	whole := little.compressed(t, little.variable(double, "a", []int32{1, count},
		little.long(miUint8, make([]byte, count))))
	short := append(little.bytes([]uint32{miCompressed, uint32(len(whole) - 8 - 100)}), whole[8:len(whole)-100]...)
	r, err := open(little.file(short))
	noError(t, err)
	if used := filetest.Allocated(func() { _, err = array(r, "a") }); err == nil || used > 1<<20 {
		t.Errorf("%d bytes, %v", used, err)
	}
}

// inflating bounds the memory of decompression in addition to the result: temporary tables for each block.
const inflating = 64

func FuzzRead(f *testing.F) {
	f.Add(little.file(matrix(little, "a"), matrix(little, "b")))
	f.Add(big.file(matrix(big, "a"), big.variable(double, "b", []int32{1, 1}, big.element(miUint8, []byte{7}))))
	f.Add(little.file(little.compressed(f, matrix(little, "a")),
		little.compressed(f, little.variable(4, "text", []int32{1, 2}, little.element(miUint16, []byte("a\x00b\x00"))))))
	f.Add(little.file(little.variable(uint8Class|flagLogical, "mask", []int32{2, 2},
		little.element(miUint8, []byte{0, 1, 1, 0}))))
	f.Fuzz(func(t *testing.T, text []byte) {
		inflated := uint64(0)
		if bytes.Contains(text, []byte{miCompressed}) {
			inflated = inflating * uint64(len(text))
		}
		bound := 2*uint64(len(text)) + 1<<20 + inflated
		var r []npy.Member
		var err error
		if used := filetest.Allocated(func() { r, err = open(text) }); used > bound {
			t.Fatalf("%d bytes allocated to list a file of %d", used, len(text))
		}
		if err != nil {
			return
		}
		for _, v := range r {
			result := 8 * uint64(v.Count()) // at most: numbers may be compressed, or narrow
			if used := filetest.Allocated(func() {
				v.Doubtful = true
				err = v.Verify()
			}); used > bound {
				t.Fatalf("%q: %d bytes allocated to scan a file of %d", v.Name, used, len(text))
			}
			if err != nil {
				continue
			}
			if used := filetest.Allocated(func() { _, err = v.Array() }); used > bound+result {
				t.Fatalf("%q: %d bytes allocated for %d numbers in a file of %d", v.Name, used, v.Count(), len(text))
			}
			if err != nil {
				t.Fatalf("%q can be scanned, not read: %v", v.Name, err)
			}
		}
	})
}

// scribe writes elements in a byte order.
type scribe struct{ binary.ByteOrder }

func (s scribe) bytes(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, s, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// element returns a data element, with small data in the tag itself.
func (s scribe) element(kind int, data []byte) []byte {
	if 0 < len(data) && len(data) <= 4 {
		return append(s.bytes(uint32(len(data)<<16|kind)), append(data, make([]byte, 4-len(data))...)...)
	}
	return s.long(kind, data)
}

// long returns a data element with the data after the tag.
func (s scribe) long(kind int, data []byte) []byte {
	b := append(s.bytes([]uint32{uint32(kind), uint32(len(data))}), data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// variable returns an array; flags includes the class, numbers is its real part.
func (s scribe) variable(flags int, name string, shape []int32, numbers []byte) []byte {
	b := s.long(miUint32, s.bytes([]uint32{uint32(flags), 0}))
	b = append(b, s.element(miInt32, s.bytes(shape))...)
	b = append(b, s.element(miInt8, []byte(name))...)
	return s.long(miMatrix, append(b, numbers...))
}

// file returns a file of elements.
func (s scribe) file(elements ...[]byte) []byte {
	b := append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte(" "), 105)...)
	b = append(b, s.bytes([]uint16{0x0100, 'M'<<8 | 'I'})...)
	for _, e := range elements {
		b = append(b, e...)
	}
	return b
}

// compressed returns a compressed element.
func (s scribe) compressed(t testing.TB, element []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(element); err != nil {
		t.Fatal(err)
	}
	noError(t, z.Close())
	return append(s.bytes([]uint32{miCompressed, uint32(b.Len())}), b.Bytes()...)
}

var little, big = scribe{binary.LittleEndian}, scribe{binary.BigEndian}
