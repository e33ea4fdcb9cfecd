package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"rfm/solver/fault"
)

// maxText is the size of text files that are read whole: configurations and reports are far smaller.
const maxText = 1 << 22

// maxTOML is the size of configurations that are read, as package config has it.
const maxTOML = 1 << 17

// text tells what kind of text the file is, which begins with start.
func (f *File) text(start []byte) (Kind, error) {
	unknown := &fault.Data{Where: f.Name, What: "is of no kind that is read", Err: errKind,
		Do: "convert it in Python, for example tables of numbers between blanks with\n  import numpy\n  " +
			"numpy.savez('pairs.npz', a=numpy.loadtxt('INPUTS.txt'), u=numpy.loadtxt('OUTPUTS.txt'))"}
	if len(start) > 9 && start[8] == '{' && start[7] == 0 { // the length of a header in JSON, and that header
		return "", &fault.Data{Where: f.Name, What: "is a safetensors file, which is not read", Do: fmt.Sprintf("convert it in "+
			"Python:\n  import numpy, safetensors.numpy\n  numpy.savez('pairs.npz', **safetensors.numpy.load_file(%q))",
			filepath.Base(f.Name))}
	}
	if f.Size == 0 {
		return "", &fault.Data{Where: f.Name, What: "is empty"}
	}
	if bytes.IndexByte(start, 0) >= 0 {
		return "", unknown
	}
	content := make([]byte, min(f.Size, maxText))
	if f.Size > maxText {
		content = content[:tableStart]
	}
	if _, err := f.obedient.ReadAt(content, 0); err != nil && err != io.EOF {
		return "", fault.Unread(f.Name, err)
	}
	whole := int64(len(content)) == f.Size
	switch {
	case whole && !utf8.Valid(content):
		return "", unknown
	case whole && json.Valid(content):
		return JSON, nil
	case f.Size <= maxTOML && toml.Unmarshal(bytes.TrimPrefix(content, []byte(mark)), &map[string]any{}) == nil:
		return TOML, nil
	}
	if f.table = tableIn(content, whole); f.table == nil {
		return "", unknown
	}
	return CSV, nil
}

// Convert says how to make arrays of numbers in text: of a table, a function in each line, or of lists in JSON. It is
// empty for other kinds of files.
func (f *File) Convert() string {
	name := filepath.Base(f.Name)
	switch f.Kind {
	case JSON:
		return fmt.Sprintf("if its lists are numbers, convert them in Python:\n  import json, numpy\n  "+
			"numpy.savez('pairs.npz', **{k: numpy.array(v) for k, v in json.load(open(%q)).items()})", name)
	case CSV:
		return f.table.convert(name)
	}
	return ""
}

// Table says how many lines of how many values a table has, and which is the first line. It is empty for other kinds of
// files.
func (f *File) Table() string {
	if f.table == nil {
		return ""
	}
	return f.table.String()
}
