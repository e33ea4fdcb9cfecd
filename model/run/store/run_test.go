package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/parallel/detector"
)

func TestManifestSurvivesTheFiles(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	long := strings.Repeat("a note & more, ", 2000)
	d.Seconds[0], d.Notices, d.Notes = 0.1, []string{`a "notice"`}, []string{long}
	d.Sources = []Source{{Name: "/a<b&c", Stamp: files.Stamp{Size: 7, Modified: time.Unix(1, 0).UTC()}}}
	err := d.Put(text(TrainFile, "pairs"), text(TestFile, "pairs"))
	if err == nil {
		err = writeRows(d.Units(), TestPredictionsFile, 0, Block{rowsOf(0, 4, 9)})
	}
	noError(t, err)
	got, err := Read(d.Path)
	noError(t, err)
	want := d
	if !bytes.Equal(got.encode(), want.encode()) || !maps.Equal(got.Sums, want.Sums) || got.Notes[0] != long ||
		got.Reached() != 1 || got.Next().Stage != Training || got.Next().Done != 0 || got.Stages[2].Done != 4 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	complete(t, d)
	if got, err = Read(d.Path); err != nil || !got.Complete() || got.TestError == nil || *got.TestError != 0.125 {
		t.Errorf("got %+v, %v, want a complete run with the test error 0.125", got, err)
	}
}

// A changed checksum, name or configuration is found: no file is mistaken for another.
func TestEveryChangeOfTheChecksumsIsFound(t *testing.T) {
	detector.Skip(t, detector.Stored)
	d := begin(t, t.TempDir(), "x")
	complete(t, d)
	for _, name := range []string{SumsFile, ConfigFile} {
		good, err := os.ReadFile(d.File(name))
		noError(t, err)
		for i := range good {
			damaged := slices.Clone(good)
			damaged[i] ^= 1 << (i % 8)
			noError(t, os.WriteFile(d.File(name), damaged, 0o644))
			if len(Verify(t.Context(), d.Path)) == 0 {
				t.Fatalf("bit %d of byte %d of %s is not missed", i%8, i, name)
			}
		}
		noError(t, os.WriteFile(d.File(name), good, 0o644))
	}
}

func TestOtherFormatsNameTheVersionThatReadsThem(t *testing.T) {
	_, err := decode([]byte(`{"format": 99, "program": {"version": "v9.1.0"}}`), "runs/x/program.json")
	isData(t, err, "has format 99; this program reads format 1; use rfm v9.1.0")
}

func TestImpossibleRecordsAreRefused(t *testing.T) {
	good := begin(t, t.TempDir(), "x")
	for name, spoil := range map[string]func(*Run){
		"seconds":  func(m *Run) { m.Seconds[1] = -1 },
		"checksum": func(m *Run) { m.Key = "abc" },
		"source":   func(m *Run) { m.Sources = []Source{{}} },
	} {
		m := *good
		spoil(&m)
		if _, err := decode(m.encode(), "program.json"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	sum := strings.Repeat("0", 64)
	for name, sums := range map[string]string{"path": sum + "  ../x\n", "hidden": sum + "  .x\n", "short": sum[1:] +
		"  x\n",
		"order": sum + "  b\n" + sum + "  a\n", "twice": sum + "  a\n" + sum + "  a\n", "cut": sum + "  a",
		"letters": strings.Repeat("G", 64) + "  a\n", "control": sum + "  a\x1b\n"} {
		if _, err := decodeSums([]byte(sums), "SHA256SUMS"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzRecords(f *testing.F) {
	m := begin(f, f.TempDir(), "x")
	f.Add(m.encode(), sums(m.Sums))
	f.Add([]byte("{\n  \"format\": 1"), []byte("\n"))
	f.Fuzz(func(t *testing.T, text, listed []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := decode(text, "program.json")
		list, wrong := decodeSums(listed, "SHA256SUMS")
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(100*(len(text)+len(listed))+1<<20) {
			t.Fatalf("%d bytes allocated for %d", used, len(text)+len(listed))
		}
		var data *fault.Data
		if err != nil && !errors.As(err, &data) || wrong != nil && !errors.As(wrong, &data) {
			t.Fatalf("got %T: %v, and %v, want no error or *fault.Data", err, err, wrong)
		}
		if err == nil {
			if again, err := decode(m.encode(), "program.json"); err != nil || !bytes.Equal(again.encode(), m.encode()) {
				t.Fatalf("%+v does not survive: %v", m, err)
			}
		}
		if wrong == nil && !bytes.Equal(sums(list), listed) {
			t.Fatalf("%q becomes %q", listed, sums(list))
		}
	})
}

// Names of units in a directory from elsewhere may have any numbers.
func TestProgressStaysWithinTheStages(t *testing.T) {
	for _, tile := range []string{"sums-999999999+999999999-000000001+999999999",
		"sums-000000000+999999999-000000001+000000777"} {
		d := begin(t, t.TempDir(), "x")
		for i := range 20 {
			name := fmt.Sprintf("%s-%032x.npy", tile, i)
			noError(t, os.WriteFile(filepath.Join(d.Units().Path, name), nil, 0o600))
		}
		r, err := Read(d.Path)
		noError(t, err)
		for _, s := range r.Stages {
			if s.Done < 0 || s.Done > s.Total {
				t.Errorf("%s: %d of %d %s are done, want from 0 to all", tile, s.Done, s.Total, s.Unit)
			}
		}
	}
}
