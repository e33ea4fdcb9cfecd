package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/solver/fault"
)

func TestManifestSurvivesTheFile(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	e := 0.125
	err := d.Commit(func(m *Manifest) {
		m.Generating, m.Notices, m.TestError = Stage{State: Partial, Done: 3, Total: 7, Seconds: 0.1}, []string{`a "notice"`},
			&e
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Committed(); !bytes.Equal(got.encode(), want.encode()) || got.Generating.Done != 3 ||
		*got.TestError != e {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEveryChangeOfAManifestIsFound(t *testing.T) {
	text, err := os.ReadFile(create(t, t.TempDir(), "x").File(ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(text, "manifest"); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for bit := range 8 {
			damaged := slices.Clone(text)
			damaged[i] ^= 1 << bit
			if _, err := decode(damaged, "manifest"); err == nil || !strings.Contains(err.Error(), "is damaged") {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
		}
		if _, err := decode(text[:i], "manifest"); err == nil {
			t.Fatalf("the first %d of %d bytes", i, len(text))
		}
	}
	if _, err := decode(append(slices.Clone(text), '\n'), "manifest"); err == nil {
		t.Error("a byte more")
	}
}

// sealed completes the body of a manifest with its checksum.
func sealed(body string) []byte {
	sum := sha256.Sum256([]byte(body + ",\n"))
	return []byte(body + checksumKey + hex.EncodeToString(sum[:]) + checksumEnd)
}

func TestNewerFormatsNameTheVersionThatReadsThem(t *testing.T) {
	_, err := decode(sealed("{\n  \"format\": 99,\n  \"program\": {\"version\": \"v9.1.0\"},\n  \"colour\": \"blue\""),
		"runs/x/manifest.json")
	isData(t, err, "has format 99; this program reads up to format 3; use rfm v9.1.0")
}

func TestRunsOfEarlierFormatsGoOn(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	earlier := d.Manifest()
	earlier.Format, earlier.Program.Target = 1, ""
	path := closed(t, d)
	if err := os.WriteFile(d.File(ManifestFile), earlier.encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.Context(), path, self, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(func(*Manifest) {}); err != nil {
		t.Error(err)
	}
	closed(t, d)
	if m, err := Read(path); err != nil || m.Format != Format || m.Program != self {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestImpossibleManifestsAreRefused(t *testing.T) {
	good := create(t, t.TempDir(), "x").Manifest()
	for name, spoil := range map[string]func(*Manifest){
		"format":    func(m *Manifest) { m.Format = 0 },
		"stage":     func(m *Manifest) { m.Training.State = "half" },
		"units":     func(m *Manifest) { m.Training.Done = 1 },
		"path":      func(m *Manifest) { m.put(File{Name: "../x", SHA256: m.Files[0].SHA256}) },
		"own name":  func(m *Manifest) { m.put(File{Name: ManifestFile, SHA256: m.Files[0].SHA256}) },
		"checksum":  func(m *Manifest) { m.put(File{Name: "x", SHA256: "abc"}) },
		"size":      func(m *Manifest) { m.put(File{Name: "x", Size: -1, SHA256: m.Files[0].SHA256}) },
		"no config": func(m *Manifest) { m.Files = nil },
		"no such array": func(m *Manifest) {
			m.put(File{Name: "x", Size: 128 + 5, SHA256: m.Files[0].SHA256, Shape: []int{3, 2}})
		},
		"too many rows": func(m *Manifest) {
			m.put(File{Name: "x", Size: 128 + 64, SHA256: m.Files[0].SHA256, Shape: []int{3, 2}})
		},
		"not growing": func(m *Manifest) {
			m.put(File{Name: "x", Size: 128 + 16, SHA256: m.Files[0].SHA256, Shape: []int{3, 2}})
		},
		"overflow": func(m *Manifest) {
			m.put(File{Name: "x", Size: 128, SHA256: m.Files[0].SHA256, Shape: []int{1 << 40, 1 << 40}, Growing: true})
		},
		"order of names": func(m *Manifest) { m.Files = append(m.Files, m.Files...) },
	} {
		m := good.clone()
		spoil(&m)
		if _, err := decode(m.encode(), "manifest"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzManifest(f *testing.F) {
	d := create(f, f.TempDir(), "x")
	text := d.Manifest().encode()
	f.Add(text)
	f.Add(text[:bytes.LastIndex(text, []byte(checksumKey))])
	f.Add([]byte("{\n  \"format\": 2"))
	f.Add([]byte("{\"format\": 1, \"files\": [{}" + strings.Repeat(",{}", (maxManifest-200)/3) + "]"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, text := range [][]byte{body, sealed(string(body))} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := decode(text, "manifest")
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(2*len(text)+1<<20) {
				t.Fatalf("%d bytes allocated for %d", used, len(text))
			}
			if err != nil {
				var data *fault.Data
				if !errors.As(err, &data) {
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			for _, f := range m.Files { // what readers rely on
				if f.Shape != nil && f.rows() > f.Shape[0] {
					t.Fatalf("%+v has %d rows", f, f.rows())
				}
			}
			if again, err := decode(m.encode(), "manifest"); err != nil || !bytes.Equal(again.encode(), m.encode()) {
				t.Fatalf("%+v does not survive: %v", m, err)
			}
		}
	})
}
