package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
)

// file makes a .npy file by hand.
func file(version byte, dict string, payload []byte) []byte {
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write([]byte{version, 0})
	if version == 1 {
		binary.Write(&b, binary.LittleEndian, uint16(len(dict)))
	} else {
		binary.Write(&b, binary.LittleEndian, uint32(len(dict)))
	}
	b.WriteString(dict)
	b.Write(payload)
	return b.Bytes()
}

// stored makes a .npy file of version 1 from the values of a header.
func stored(descr, fortran, shape string, payload []byte) []byte {
	return file(1, "{'descr': "+descr+", 'fortran_order': "+fortran+", 'shape': "+shape+", }", payload)
}

func encode(order binary.ByteOrder, width int, values ...float64) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if width == 4 {
			binary.Write(&b, order, float32(v))
		} else {
			binary.Write(&b, order, v)
		}
	}
	return b.Bytes()
}

func TestReadTypesAndOrders(t *testing.T) {
	c := Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}
	fortran := []float64{1, 4, 2, 5, 3, 6}
	little, big := binary.LittleEndian, binary.BigEndian
	for name, text := range map[string][]byte{
		"f8": stored("'<f8'", "False", "(2, 3)", encode(little, 8, c.Data...)),
		"f4": stored("'<f4'", "False", "(2, 3)", encode(little, 4, c.Data...)),
		"big f8": file(2, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n",
			encode(big, 8, c.Data...)),
		"big f4": file(3, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n",
			encode(big, 4, c.Data...)),
		"fortran":    stored("'<f8'", "True", "(2, 3)", encode(little, 8, fortran...)),
		"fortran f4": stored("'<f4'", "True", "(2, 3)", encode(little, 4, fortran...)),
		"Python 2":   stored("'<f8'", "False", "(2L, 3L)", encode(little, 8, c.Data...)),
		"any order of keys, no last comma": file(1, `{"shape":(2,3),"fortran_order":False,"descr":"<f8"}`,
			encode(little, 8, c.Data...)),
	} {
		if got, err := Read(text); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c)
		}
	}
	three := []float64{0, 4, 2, 6, 1, 5, 3, 7} // by columns
	got, err := Read(stored("'<f8'", "True", "(2, 2, 2)", encode(little, 8, three...)))
	if err != nil || !slices.Equal(got.Data, []float64{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("three axes: %v, %v", got, err)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, want := range []Array{
		{Shape: []int{}, Data: []float64{math.Pi}},
		{Shape: []int{0, 5}, Data: []float64{}},
		{Shape: []int{3}, Data: []float64{1, math.Inf(-1), 5e-324}},
		{Shape: []int{1, 2, 2}, Data: []float64{1, 2, 3, 4}},
	} {
		var b bytes.Buffer
		if err := Write(&b, want); err != nil {
			t.Fatal(err)
		}
		if (b.Len()-8*len(want.Data))%64 != 0 {
			t.Errorf("shape %v: header of %d bytes is not aligned", want.Shape, b.Len()-8*len(want.Data))
		}
		if got, err := Read(b.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	good := func(dict string) []byte { return file(1, dict, encode(binary.LittleEndian, 8, 1, 2, 3)) }
	shaped := func(descr, shape string) []byte {
		return stored(descr, "False", shape, encode(binary.LittleEndian, 8, 1, 2, 3))
	}
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"empty":            {nil, "not a .npy file"},
		"other file":       {[]byte("PK\x03\x04 something else"), "not a .npy file"},
		"version":          {file(9, "{}", nil), "version 9.0"},
		"truncated header": {[]byte(magic + "\x01\x00\xff\x00{"), "truncated in its header"},
		"huge header":      {[]byte(magic + "\x02\x00\xff\xff\xff\xff"), "header of 4294967295 bytes"},
		"truncated":        {shaped("'<f8'", "(4,)"), "truncated"},
		"too long":         {shaped("'<f8'", "(2,)"), "too long"},
		"huge shape":       {shaped("'<f8'", "(9223372036854775807, 9223372036854775807)"), "too large"},
		"large shape":      {shaped("'<f8'", "(1000000000000,)"), "truncated"},
		"negative shape":   {shaped("'<f8'", "(-3,)"), "malformed"},
		"missing key":      {good("{'descr': '<f8', 'fortran_order': False, }"), "malformed"},
		"key twice":        {good("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"), "malformed"},
		"rest":             {good("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } x"), "malformed"},
		"signs in names":   {stored(`[('t:s', '<f8'), ("o'k", '<f8')]`, "False", "(3,)", make([]byte, 48)), "holds records"},
		"quadruple floats": {stored("'<f16'", "False", "(3,)", make([]byte, 48)),
			"float128"},
		"complex": {shaped("'<c32'", "(3,)"), "complex256"},
		"object": {stored("'|O'", "False", "(3,)", []byte("pickle")),
			"pickled Python objects"},
		"datetime":      {stored("'<M8[ns]'", "False", "(0,)", nil), `"<M8[ns]"`},
		"order missing": {shaped("'f8'", "(3,)"), "float64"},
		"records":       {shaped("[('a', '<f8')]", "(3,)"), "records"},
	} {
		_, err := Read(test.text)
		filetest.Refused(t, name, err, test.want)
	}
}

func TestHeaders(t *testing.T) {
	for descr, want := range map[string]string{"'<f8'": "float64", "'>f4'": "float32, big-endian", "'|b1'": "bool",
		"'>u2'": "uint16, big-endian", "'|i1'": "int8",
		"'<c16'": "complex128", "'|O'": "object", "'<M8[ns]'": `"<M8[ns]"`,
		"[('a', '<f8'), ('b', '<i4', (2,))]": "structured", "'<q7'": `"<q7"`} {
		text := file(1, "{'descr': "+descr+", 'fortran_order': True, 'shape': (0, 7), }", nil)
		h, err := MemberOf("", "array", Whole(bytes.NewReader(text), int64(len(text))))
		shape := []int{0, 7}
		if h.Complex {
			shape = append(shape, 2)
		}
		if err != nil || h.Type != want || !h.Fortran || !slices.Equal(h.Shape, shape) {
			t.Errorf("%s: got %v, %v, want type %s in Fortran's order with shape %v", descr, h, err, want, shape)
		}
	}
}

// The exponent's bias differs by 112 from that of single precision, the fraction's length by 13 bits.
func TestHalfPrecisionIsExact(t *testing.T) {
	for bits := range 1 << 16 {
		sign, rest := uint32(bits>>15)<<31, uint32(bits&0x7fff)
		want := float64(math.Float32frombits(sign|rest<<13)) * math.Ldexp(1, 112)
		if rest >= 0x7c00 {
			want = float64(math.Float32frombits(sign | 0x7f800000 | (rest&0x3ff)<<13))
		}
		if got := half(uint16(bits)); math.Float64bits(got) != math.Float64bits(want) &&
			!(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#x is %g, want %g", bits, got, want)
		}
	}
}

func TestEveryTypeInBothByteOrders(t *testing.T) {
	values := []float64{0, 1, 1, 0, 1, 1}
	for _, code := range strings.Fields("b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8") {
		width := int(code[1] - '0')
		for sign, order := range map[string]binary.ByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian} {
			if width == 1 {
				sign = "|"
			}
			payload := encode(order, width, values...)
			switch {
			case code[0] != 'f':
				payload = integers(order, width, 0, 1, 1, 0, 1, 1)
			case width == 2:
				const one = 0x3c00
				payload = integers(order, width, 0, one, one, 0, one, one)
			}
			got, err := Read(stored("'"+sign+code+"'", "False", "(6,)", payload))
			if err != nil || !slices.Equal(got.Data, values) {
				t.Errorf("%s%s: got %v, %v, want %v", sign, code, got.Data, err, values)
			}
		}
	}
}

// integers returns the lowest width bytes of each value.
func integers(order binary.ByteOrder, width int, values ...int64) []byte {
	var b bytes.Buffer
	for _, v := range values {
		low := any(v)
		switch width {
		case 1:
			low = int8(v)
		case 2:
			low = int16(v)
		case 4:
			low = int32(v)
		}
		binary.Write(&b, order, low)
	}
	return b.Bytes()
}

func TestExtremeIntegers(t *testing.T) {
	for descr, test := range map[string]struct {
		stored int64
		want   float64
	}{
		"|i1": {-128, -128}, "|u1": {-1, 255}, "<i2": {-1 << 15, -1 << 15}, "<u2": {-1, 1<<16 - 1},
		">i4": {-1 << 31, -1 << 31}, ">u4": {-1, 1<<32 - 1},
		"<i8": {-1 << 53, -1 << 53}, "<u8": {1 << 53, 1 << 53},
	} {
		order, width := binary.ByteOrder(binary.LittleEndian), int(descr[2]-'0')
		if descr[0] == '>' {
			order = binary.BigEndian
		}
		got, err := Read(stored("'"+descr+"'", "False", "()", integers(order, width, test.stored)))
		if err != nil || got.Data[0] != test.want {
			t.Errorf("%s: %v, %v, want %g", descr, got.Data, err, test.want)
		}
	}
}

func TestNumbersThatAreNotRepresentableAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"i8": {stored("'<i8'", "False", "(2,)", integers(binary.LittleEndian, 8, 1, -1<<53-1)),
			"element 1 in the order of the file is the integer -9007199254740993, beyond 2^53"},
		"u8": {stored("'>u8'", "False", "(1,)", integers(binary.BigEndian, 8, -1)),
			"the integer 18446744073709551615, beyond 2^53"},
		"bool": {stored("'|b1'", "False", "(3,)", []byte{0, 1, 2}),
			"element 2 in the order of the file is the byte 2, which is not a bool"},
	} {
		if _, err := Read(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestScanArrangesNumbers(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		encoded := encode(binary.LittleEndian, 8, 1, 2, 3, 4, 5, 6)
		if fortran {
			encoded = encode(binary.LittleEndian, 8, 1, 4, 2, 5, 3, 6)
		}
		m := Block{Type: TypeOf("<f8"), Shape: []int{2, 3}, Fortran: fortran,
			Open: func() (io.Reader, error) { return bytes.NewReader(encoded), nil }}.Member("", "array")
		for name, test := range map[string]struct {
			at   []Axis
			want []float64
		}{
			"columns as rows, with gaps": {Along(1, 3), []float64{1, 4, 0, 2, 5, 0, 3, 6}},
			"the last row":               {[]Axis{func(i int) int { return i - 1 }, Along(1)[0]}, []float64{4, 5, 6, 7: 0}},
			"a column":                   {[]Axis{Along(1)[0], func(i int) int { return i%2 - 1 }}, []float64{2, 5, 7: 0}},
		} {
			got := make([]float64, 8)
			if err := m.Read(got, test.at, math.MaxInt); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s, Fortran order %t: %v, %v", name, fortran, got, err)
			}
		}
	}
}

// Blocks may reach beyond the ends of their array: it is scanned like an array that is stored as a whole, and blocks
// without wanted numbers are not opened.
func TestScanOfBlocks(t *testing.T) {
	opened := 0
	blocks := func(use func(Block) bool) {
		for first := 0; first < 5; first += 2 {
			use(Block{Type: TypeOf("<f8"), Shape: []int{2, 4}, First: []int{first, 0},
				Inside: []int{min(2, 5-first), 3}, Open: func() (io.Reader, error) {
					opened++
					n := 10 * float64(first)
					return bytes.NewReader(encode(binary.LittleEndian, 8, n, n+1, n+2, -1, n+10, n+11, n+12, -1)), nil
				}})
		}
	}
	got := make([]float64, 15)
	m := Member{Numbers: func(at []Axis, put Put) error { return Scan("array", blocks, at, put) }}
	if err := m.Read(got, Along(3, 1), len(got)); err != nil || !slices.Equal(got,
		[]float64{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42}) {
		t.Errorf("got %v, %v, want the five rows of three numbers", got, err)
	}
	opened = 0
	err := m.Read(got, []Axis{func(i int) int { return i - 4 }, Along(1)[0]}, len(got))
	if err != nil || got[2] != 42 || opened != 1 {
		t.Errorf("%v, %v, %d blocks opened", got, err, opened)
	}
}

// An array without numbers is not walked, because its other axes may be of any length in a damaged file.
func TestScanOfNothing(t *testing.T) {
	shape := []int{1 << 40, 0}
	blocks := func(use func(Block) bool) {
		use(Block{Type: TypeOf("<f8"), Shape: shape, First: []int{0, 0}, Inside: shape})
	}
	refuse := func(index int) int {
		t.Fatalf("index %d was visited", index)
		return 0
	}
	err := Scan("array", blocks, []Axis{refuse, refuse}, nil)
	if err != nil {
		t.Error(err)
	}
}

func TestReadFailsWhenTheReaderDoes(t *testing.T) {
	text := stored("'<f8'", "False", "(3,)", encode(binary.LittleEndian, 8, 1, 2))
	m, err := MemberOf("", "array", func() (io.Reader, int64, error) {
		return bytes.NewReader(text), int64(len(text) + 8), nil
	})
	if err == nil {
		_, err = m.Array()
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(stored("'<f8'", "True", "(3, 1)", encode(binary.LittleEndian, 8, 1, 2, 3)))
	f.Add(file(2, "{'descr': '>f4', 'fortran_order': False, 'shape': (), }", encode(binary.BigEndian, 4, 1)))
	f.Add(stored("'|u1'", "True", "(2, 2)", []byte{1, 2, 3, 4}))
	f.Add(stored("'>i8'", "False", "(1,)", integers(binary.BigEndian, 8, -7)))
	f.Add(file(1, "{'descr': [('a', '<f8'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': (1,), }", nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		bound := 2*uint64(len(text)) + 1<<20
		m, err := MemberOf("", "array", Whole(bytes.NewReader(text), int64(len(text))))
		if err == nil && m.Readable() {
			m.Doubtful = true
			if used := filetest.Allocated(func() { err = m.Verify() }); used > 1<<20 {
				t.Fatalf("%d bytes allocated to scan a file of %d", used, len(text))
			}
			bound = max(bound, 8*uint64(m.Count())+1<<20) // of types of one or two bytes
		}
		var a Array
		if used := filetest.Allocated(func() { a, err = Read(text) }); used > bound {
			t.Fatalf("%d bytes allocated for a file of %d", used, len(text))
		}
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		again, err := Read(b.Bytes())
		if err != nil || !reflect.DeepEqual(a.Shape, again.Shape) || len(a.Data) != len(again.Data) {
			t.Fatalf("%v became %v, %v", a.Shape, again.Shape, err)
		}
	})
}
