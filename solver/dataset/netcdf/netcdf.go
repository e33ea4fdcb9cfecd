// Package netcdf reads the arrays of netCDF files of the classic formats: CDF-1, CDF-2 with 64-bit offsets, and CDF-5
// with 64-bit data ("The NetCDF Classic Format Specification"). Files of netCDF-4 are HDF5. Attributes that change
// numbers are applied, see package cf.
package netcdf

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cf"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

const (
	maxHeader  = 1 << 24 // bytes
	maxList    = 1 << 16 // dimensions, attributes or variables
	maxName    = 1 << 10
	maxNumbers = 64      // of an attribute that changes numbers
	maxRecords = 1 << 40 // along the dimension without a limit
)

// Tags of the lists in a header.
const (
	dimensionTag = 0x0a
	variableTag  = 0x0b
	attributeTag = 0x0c
)

// elementType is a type of numbers.
type elementType struct {
	code  string // of NumPy; empty for text
	width int64  // bytes
}

// external are the types of numbers by their codes, from 1 on.
var external = []elementType{
	1:        {">i1", 1},
	textType: {"", 1},
	3:        {">i2", 2},
	4:        {">i4", 4},
	5:        {">f4", 4},
	6:        {">f8", 8},
	7:        {">u1", 1},
	8:        {">u2", 2},
	9:        {">u4", 4},
	10:       {">i8", 8},
	11:       {">u8", 8},
}

const textType = 2

// Read lists the arrays of a file of size bytes that begins with start; ok is false if it has another format. Errors,
// also later ones, are *fault.Data at where, the name of the file, and those of in.
func Read(in io.ReaderAt, size int64, where string, start []byte) (members []npy.Member, ok bool, err error) {
	const magic = 4
	if len(start) < magic || !bytes.HasPrefix(start, []byte("CDF")) {
		return nil, false, nil
	}
	f := &file{in: in, size: size, where: where, version: start[magic-1]}
	header := io.NewSectionReader(in, magic, min(size-magic, maxHeader))
	f.header = bufio.NewReaderSize(header, 1<<16)
	err = cursor.Attempt(func() { members = f.read() })
	return members, true, npy.Broken(where, err)
}

// file is a file whose header is read.
type file struct {
	in      io.ReaderAt
	size    int64
	where   string
	version byte
	header  *bufio.Reader
}

// dimension is a dimension; the one without a limit has the length 0.
type dimension struct {
	name   string
	length int64
}

// variable is an array as the header describes it.
type variable struct {
	name       string
	dimensions []int
	attributes cf.Attributes
	code       int   // of the type of its elements
	begin      int64 // of its numbers in the file
	record     int64 // bytes of its numbers in a record, without those that fill it; of all of them without records
	inRecords  bool
}

// take reads bytes of the header.
func (f *file) take(n int64) []byte {
	if n < 0 || n > min(maxHeader, f.size) {
		cursor.Damage("its header has an impossible length")
	}
	b := make([]byte, n)
	_, err := io.ReadFull(f.header, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		cursor.Damage("it ends within its header, or this is larger than %d bytes", maxHeader)
	}
	if err != nil {
		cursor.End(err)
	}
	return b
}

// number reads a number of so many bytes.
func (f *file) number(bytes int64) int64 {
	c := cursor.Cursor{Rest: f.take(bytes), Big: true}
	n := c.Uint(int(bytes))
	if n > math.MaxInt64 {
		cursor.Damage("its header has the number %d", n)
	}
	return int64(n)
}

// count reads a number of elements, or a length, of at most so many.
func (f *file) count(most int64) int64 {
	bytes := int64(4)
	if f.version == 5 {
		bytes = 8
	}
	n := f.number(bytes)
	if n > most {
		cursor.Damage("its header has a list, a name or a length of %d, want at most %d", n, most)
	}
	return n
}

// name reads a name. Names are padded to multiples of four bytes.
func (f *file) name() string {
	n := f.count(maxName)
	return string(f.take(padded(n))[:n])
}

func padded(n int64) int64 { return (n + 3) &^ 3 }

// list reads the beginning of a list, and calls read for each element.
func (f *file) list(tag int64, read func()) {
	found := f.number(4)
	n := f.count(maxList)
	if found == 0 && n == 0 { // absent
		return
	}
	if found != tag {
		cursor.Damage("its header has the tag %d where %d must be", found, tag)
	}
	for range n {
		read()
	}
}

// read reads the header, and describes the arrays.
func (f *file) read() (members []npy.Member) {
	if f.version != 1 && f.version != 2 && f.version != 5 {
		cursor.End(fault.Bad(
			f.where,
			"convert it: nccopy -k nc4 OLD NEW",
			"is a netCDF file of the version %d, of which 1, 2 and 5 are known", f.version,
		))
	}
	const streaming = math.MaxUint32 // the number of records is not known
	records := f.records()
	var dimensions []dimension
	f.list(dimensionTag, func() {
		name := f.name()
		length := f.count(maxRecords)
		dimensions = append(dimensions, dimension{name: name, length: length})
	})
	f.attributes()
	var variables []variable
	f.list(variableTag, func() {
		variables = append(variables, f.variable(dimensions))
	})
	record := int64(0) // bytes
	var last *variable
	begin := int64(math.MaxInt64)
	for i := range variables {
		v := &variables[i]
		if v.inRecords {
			record += padded(v.record)
			begin = min(begin, v.begin)
			last = v
		}
	}
	if last != nil && record == padded(last.record) { // a single one has records without a gap
		record = last.record
	}
	isUnknown := records < 0 || records == streaming && f.version != 5
	if isUnknown {
		records = 0
		if record > 0 {
			records = max(0, f.size-begin) / record
		}
	}
	for _, v := range variables {
		if m, ok := f.member(v, dimensions, records, record); ok {
			members = append(members, m)
		}
	}
	return members
}

// records reads the number of records; it is negative if the program that wrote them did not know it.
func (f *file) records() int64 {
	if f.version != 5 {
		return f.number(4)
	}
	c := cursor.Cursor{Rest: f.take(8), Big: true}
	return int64(c.Uint(8))
}

// attributes reads a list of attributes, of which it returns those that change numbers.
func (f *file) attributes() cf.Attributes {
	all := cf.Attributes{}
	f.list(attributeTag, func() {
		name := f.name()
		code := f.code()
		n := f.count(maxHeader)
		b := f.take(padded(n * external[code].width))
		if !cf.Changes(name) {
			return
		}
		value := cf.Value{}
		switch {
		case code == textType:
			value.Text = string(bytes.TrimRight(b[:n], "\x00 "))
		case n > maxNumbers:
			value.Other = true
		default:
			value.Numbers = make([]float64, n)
			elements := npy.TypeOf(external[code].code)
			bad, _ := elements.Decode(value.Numbers, b)
			value.Other = bad >= 0
		}
		all[name] = value
	})
	return all
}

// code reads the code of a type.
func (f *file) code() int {
	code := f.number(4)
	if code < 1 || code >= int64(len(external)) {
		cursor.Damage("its header has the type %d, 1 to %d are known", code, len(external)-1)
	}
	return int(code)
}

// variable reads the description of an array.
func (f *file) variable(all []dimension) variable {
	v := variable{name: f.name()}
	for range f.count(npy.MaxRank) {
		d := f.count(math.MaxInt64)
		if d >= int64(len(all)) {
			cursor.Damage("the array %q has the dimension %d of %d", v.name, d, len(all))
		}
		v.dimensions = append(v.dimensions, int(d))
	}
	v.attributes = f.attributes()
	v.code = f.code()
	f.count(math.MaxInt64) // the bytes that follow from the shape; large arrays have a wrong number
	place := int64(4)
	if f.version > 1 {
		place = 8
	}
	v.begin = f.number(place)
	v.record = external[v.code].width
	for i, d := range v.dimensions {
		n := all[d].length
		switch {
		case i == 0 && n == 0:
			v.inRecords = true
			continue
		case n > 0 && v.record > math.MaxInt64/8/n:
			cursor.Damage("the array %q is larger than any file", v.name)
		}
		v.record *= n
	}
	return v
}

// member describes an array; ok is false for texts.
func (f *file) member(v variable, dimensions []dimension, records, size int64) (m npy.Member, ok bool) {
	if v.code == textType {
		return m, false
	}
	where := npy.Place(f.where, v.name)
	elements := npy.TypeOf(external[v.code].code)
	if v.attributes.IsUnsigned() {
		elements = elements.Unsigned()
	}
	m = npy.Member{Name: v.name, Type: elements.Name, Shape: npy.Shape{}}
	for i, d := range v.dimensions {
		n := dimensions[d].length
		if i == 0 && v.inRecords {
			n = records
		}
		m.Shape = append(m.Shape, int(n))
	}
	if _, fits := npy.Room(m.Shape); !fits {
		cursor.Damage("the array %q has the impossible shape %v", v.name, m.Shape)
	}
	end := v.begin + v.record
	if v.inRecords && records > 0 {
		isTooLarge := size > 0 && records > (math.MaxInt64-v.begin-v.record)/size
		if isTooLarge {
			cursor.Damage("the array %q is larger than any file", v.name)
		}
		end = v.begin + (records-1)*size + v.record
	}
	if npy.Count(m.Shape) > 0 && (v.begin < 0 || end > f.size) {
		m.Refused = fault.Damaged(where, fmt.Errorf("its numbers end at byte %d of %d", end, f.size))
		return m, true
	}
	var meaning cf.Meaning
	err := cursor.Attempt(func() { meaning = v.attributes.Meaning(elements, true) })
	if err != nil {
		m.Refused = fault.Bad(
			where,
			"correct the attribute, or remove it if the stored numbers are meant",
			"%v", err,
		)
		return m, true
	}
	m.Note = meaning.Note
	blocks := f.blocks(v, elements, m.Shape, records, size)
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		return npy.Scan(where, blocks, at, meaning.Put(put))
	}
	return m, true
}

// blocks passes on the parts of an array that are together in the file: all of it, or its part in each record.
func (f *file) blocks(v variable, elements npy.Type, shape npy.Shape, records, size int64) func(func(npy.Block) bool) {
	block := func(first []int, inside npy.Shape, at int64) npy.Block {
		return npy.Block{
			Type:   elements,
			Shape:  inside,
			First:  first,
			Inside: inside,
			Open: func() (io.Reader, error) {
				return io.NewSectionReader(f.in, at, v.record), nil
			},
		}
	}
	if !v.inRecords {
		return func(use func(npy.Block) bool) {
			use(block(make([]int, len(shape)), shape, v.begin))
		}
	}
	if npy.Count(shape) == 0 { // any number of records without numbers
		records = 0
	}
	one := append(npy.Shape{1}, shape[1:]...)
	return func(use func(npy.Block) bool) {
		for i := range records {
			first := make([]int, len(shape))
			first[0] = int(i)
			if !use(block(first, one, v.begin+i*size)) {
				return
			}
		}
	}
}
