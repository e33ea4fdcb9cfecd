package exchange

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"rfm/solver/fault"
)

// maxText is the size of text files that are looked into: configurations, reports and tables are far smaller.
const maxText = 1 << 22

// maxTOML is the size of configurations that are read, as package config has it.
const maxTOML = 1 << 17

// text tells what kind of text the file is, which begins with start.
func (f *File) text(start []byte) (Kind, error) {
	unknown := &fault.Data{Where: f.Name, What: "is of no kind that is read", Err: errKind,
		Do: "convert it in Python, for example tables of numbers between blanks with\n  import numpy\n  " +
			"numpy.savez('pairs.npz', a=numpy.loadtxt('INPUTS.txt'), u=numpy.loadtxt('OUTPUTS.txt'))"}
	if f.Size == 0 {
		return "", &fault.Data{Where: f.Name, What: "is empty"}
	}
	if f.Size > maxText || bytes.IndexByte(start, 0) >= 0 {
		return "", unknown
	}
	content := make([]byte, f.Size)
	if _, err := f.obedient.ReadAt(content, 0); err != nil && err != io.EOF {
		return "", &fault.Data{Where: f.Name, What: "cannot be read", Err: err}
	}
	switch {
	case !utf8.Valid(content):
		return "", unknown
	case json.Valid(content):
		return JSON, nil
	case f.Size <= maxTOML && toml.Unmarshal(bytes.TrimPrefix(content, []byte("\ufeff")), &map[string]any{}) == nil:
		return TOML, nil
	case table(content):
		return CSV, nil
	}
	return "", unknown
}

// Convert says how to make arrays of numbers in text: of a table, a function in each line, or of lists in JSON.
func Convert(name string, kind Kind) string {
	name = filepath.Base(name)
	if kind == JSON {
		return fmt.Sprintf("if its lists are numbers, convert them in Python:\n  import json, numpy\n  "+
			"numpy.savez('pairs.npz', **{k: numpy.array(v) for k, v in json.load(open(%q)).items()})", name)
	}
	return fmt.Sprintf("convert tables of numbers in Python, a function in each line:\n  import numpy\n  "+
		"numpy.savez('pairs.npz', a=numpy.loadtxt(%q, delimiter=','), u=numpy.loadtxt('OUTPUTS.csv', delimiter=','))", name)
}

// table says whether the text is lines of equally many values, at least two, between commas.
func table(content []byte) bool {
	r := csv.NewReader(bytes.NewReader(content))
	r.ReuseRecord = true
	lines := 0
	for ; ; lines++ {
		record, err := r.Read()
		if err == io.EOF {
			return lines > 1
		}
		if err != nil || len(record) < 2 {
			return false
		}
	}
}
