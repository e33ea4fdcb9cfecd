package config

import "strconv"

// Blocks returns the length of the blocks in data.groups, 0 if data.groups has another value.
func (d Data) Blocks() int {
	length, err := strconv.Atoi(d.Groups)
	if err != nil {
		return 0
	}
	return length
}

// LabelArray returns the array of labels that data.groups names, empty if it names none.
func (d Data) LabelArray() string {
	if _, err := strconv.Atoi(d.Groups); err == nil || d.Groups == AutoGroups || d.Groups == NoGroups {
		return ""
	}
	return d.Groups
}

// checkGroups reports errors in data.groups.
func (c Config) checkGroups(add func(name, problem, suggestion string)) {
	if length, err := strconv.Atoi(c.Data.Groups); err == nil && length < 1 {
		add("data.groups", "is a length of blocks below 1", "set data.groups = none, and each pair is left out by itself")
	}
	if c.Data.LabelArray() != "" && c.Of().Files && c.Data.Skip != SkipNone {
		add("data.groups", "names labels of all pairs of the file, of which data.skip = "+c.Data.Skip+" leaves some out",
			"set data.skip = none, or data.groups = auto")
	}
}
