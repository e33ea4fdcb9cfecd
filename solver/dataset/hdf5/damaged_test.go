package hdf5

import (
	"testing"

	"rfm/solver/dataset/cursor"
)

// An index for arrays that grow along one axis, in a damaged file with an array that grows along two, is refused.
func TestAnIndexOfAnotherArrayIsRefused(t *testing.T) {
	s := &storage{shape: []int{4, 4}, chunk: []int{2, 2}, grid: []int{2, 2}, most: []int{-1, -1}}
	err := cursor.Attempt(func() { s.own(3, 0) })
	if err == nil {
		t.Error("a number of a chunk means a place, though nobody knows how many chunks a line has")
	}
	s.most = []int{-1, 8}
	if own, ok := s.own(5, 0); !ok || own != 3 { // of four chunks in each line, two are there
		t.Errorf("chunk 5 is %d, %t, want the last one", own, ok)
	}
}

// An attribute without a type, in a damaged file, is refused.
func TestAnAttributeWithoutATypeIsRefused(t *testing.T) {
	const name = "scale_factor\x00"
	message := append([]byte{3, 0, byte(len(name)), 0, 0, 0, 0, 0, 0}, name...) // version 3; no bytes of type or space
	err := cursor.Attempt(func() { within(message).attribute() })
	if err == nil {
		t.Error("the attribute has a value")
	}
}
