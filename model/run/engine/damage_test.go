package engine

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	counting "rfm/solver/base/parallel/countdown"
	"rfm/solver/base/parallel/detector"
)

var everyByte = flag.Bool("every-byte", false,
	"TestDamageIsFoundAndNamed changes every byte of every file, not some of the long ones")

// small returns an experiment with files of some kilobytes.
func small(t testing.TB, assignments ...string) config.Config {
	return tiny(t, append([]string{"data.train=10", "data.test=9", "features.count=12", "data.grid=17", "train.grid=9",
		"equation.parameters.nu=0.5"}, assignments...)...)
}

// Every changed and every lost byte in a complete run, and in one that has units, is found and its file named. A
// damaged checksum is reported for the file in its line.
func TestDamageIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	partial := begin(t, small(t, "data.train=260", "data.test=3"), eager(2).In(t.TempDir(), "x", false))
	for looks := 8; ; looks *= 2 {
		err := partial.Reach(counting.After(looks), Generating)
		if units, failure := partial.store.Units().Of(store.TrainFile); failure != nil || err == nil {
			t.Fatalf("no units: %v, %v", err, failure)
		} else if len(units) > 0 {
			break
		}
	}
	noError(t, partial.Close())
	for name, directory := range map[string]string{"complete": stored(t, small(t), 2).Directory(),
		"partial": partial.Directory()} {
		if faults := store.Verify(t.Context(), directory); len(faults) > 0 {
			t.Fatalf("%s: got %v, want an intact run before the damage", name, faults)
		}
		err := filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != store.LockFile { // that only names a process
				damage(t, directory, path)
			}
			return err
		})
		noError(t, err)
	}
}

// damage damages a file in many ways, one after another, and then restores it.
func damage(t *testing.T, directory, path string) {
	text, err := os.ReadFile(path)
	noError(t, err)
	const ends, between = 6, 24 // bytes
	check := func(how string, at int, damaged []byte) {
		noError(t, os.WriteFile(path, damaged, 0o644))
		faults := store.Verify(t.Context(), directory)
		var data *fault.Data
		if filepath.Base(path) == store.SumsFile { // the error may name the file of the damaged line
			if len(faults) == 0 {
				t.Errorf("%s %s at byte %d of %d is not found", path, how, at, len(text))
			}
			return
		}
		if len(faults) != 1 || !errors.As(faults[0], &data) || !strings.HasPrefix(data.Where, path) &&
			!strings.HasPrefix(faults[0].Error(), path) {
			t.Errorf("%s %s at byte %d of %d: found %v", path, how, at, len(text), faults)
		}
	}
	for i := range text {
		if !*everyByte && i >= ends && i < len(text)-ends && i%max(1, len(text)/between) != 0 {
			continue
		}
		damaged := append([]byte(nil), text...)
		damaged[i] ^= byte(1 << (i % 8))
		check("is flipped", i, damaged)
		if filepath.Base(path) != store.SumsFile || i > 0 && text[i-1] != '\n' { // fewer products mean a run to be resumed
			check("ends", i, text[:i])
		}
	}
	check("goes on", len(text), append(append([]byte(nil), text...), '\n'))
	noError(t, os.WriteFile(path, text, 0o644))
}
