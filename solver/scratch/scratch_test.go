package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rfm/solver/fault"
)

// Numbers stay what they are while pages are handed to the system, and nothing is left in the directory.
func TestNumbersStay(t *testing.T) {
	directory := t.TempDir()
	s := New(directory)
	const n = 1 << 20
	a, err := s.Float64s(n)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Float64s(n + 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range b {
		if v != 0 {
			t.Fatalf("number %d is %g at first", i, v)
		}
		b[i] = float64(i)
	}
	copy(a, b)
	for end := time.Now().Add(3 * settle); time.Now().Before(end); {
		for i := 0; i < n; i += 511 {
			if a[i] != float64(i) || b[i] != float64(i) {
				t.Fatalf("number %d is %g and %g", i, a[i], b[i])
			}
		}
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) > 0 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestDirectoriesThatCannotBeWrittenAreNamed(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "missing"))
	_, err := s.Float64s(8)
	var data *fault.Data
	if !errors.As(err, &data) {
		t.Error(err)
	}
}

func TestNoSpaceIsMemory(t *testing.T) {
	var s *Space
	if a, err := s.Float64s(3); err != nil || len(a) != 3 {
		t.Error(a, err)
	}
}
