package config

import "strconv"

// Blocks is the length of the blocks that data.groups asks for, 0 if it asks for something else.
func (d Data) Blocks() int {
	length, err := strconv.Atoi(d.Groups)
	if err != nil {
		return 0
	}
	return length
}

// LabelArray is the array of labels that data.groups names, empty if it names none.
func (d Data) LabelArray() string {
	if _, err := strconv.Atoi(d.Groups); err == nil || d.Groups == AutoGroups || d.Groups == NoGroups {
		return ""
	}
	return d.Groups
}

// checkGroups adds what is wrong with data.groups.
func (c Config) checkGroups(add func(name, problem, suggestion string)) {
	if length, err := strconv.Atoi(c.Data.Groups); err == nil && length < 1 {
		add("data.groups", "is a length of blocks below 1", "set data.groups = none, and each pair is left out by itself")
	}
	if c.Data.LabelArray() != "" && c.Of().Files && c.Data.Skip != SkipNone {
		add("data.groups", "names labels of all pairs of the file, of which data.skip = "+c.Data.Skip+" leaves some out",
			"set data.skip = none, or data.groups = auto")
	}
}
