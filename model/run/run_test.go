package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

var (
	now  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	self = Program{Version: "v1.2.3", Go: "go1.26", Platform: "linux/amd64", SIMD: "AVX2+FMA"}
)

// childRun names the environment variable that makes the test binary hold the run that it names until its standard input
// ends.
const childRun = "RFM_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childRun); path != "" {
		if _, err := Open(path, self, time.Now()); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

func configuration(t testing.TB) config.Config {
	t.Helper()
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func create(t testing.TB, root, name string) *Directory {
	t.Helper()
	d, err := Create(root, name, configuration(t), self, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	})
	return d
}

func closed(t testing.TB, d *Directory) string {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return d.Path()
}

// isData fails unless err is a *fault.Data that says something.
func isData(t *testing.T, err error, says string) {
	t.Helper()
	var data *fault.Data
	if !errors.As(err, &data) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want a *fault.Data with %q", err, says)
	}
}

func TestCreateNamesRuns(t *testing.T) {
	root := filepath.Join(t.TempDir(), "runs")
	first, second := create(t, root, ""), create(t, root, "")
	if a, b := filepath.Base(first.Path()), filepath.Base(second.Path()); a == b || !strings.HasPrefix(a, "20260102-030405-burgers-") {
		t.Errorf("runs %q and %q", a, b)
	}
	text, err := os.ReadFile(first.File(ConfigFile))
	if err != nil || !bytes.Equal(text, configuration(t).TOML()) {
		t.Errorf("configuration %q, %v", text, err)
	}
	for name, says := range map[string]string{filepath.Base(first.Path()): "exists already", "../x": "plain name", "a/b": "plain name", ".x": "plain name"} {
		_, err := Create(root, name, configuration(t), self, now)
		isData(t, err, says)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A file in the way stands for a place that cannot be written: the permissions of one do not keep root out.
func TestPlacesThatCannotBeWrittenAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Create(file, "x", configuration(t), self, now)
	isData(t, err, file)
	_, err = Create(filepath.Join(file, "below"), "", configuration(t), self, now)
	isData(t, err, file)

	d := create(t, t.TempDir(), "x")
	path := closed(t, d)
	if err := os.Mkdir(filepath.Join(path, LockFile), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, self, now)
	isData(t, err, LockFile)
}

func TestReadOnlyRunsAreRefusedBeforeAnythingIsComputed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	path := closed(t, create(t, t.TempDir(), "x"))
	if err := os.Chmod(path, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, self, now)
	isData(t, err, "cannot be written")
}

func TestManifestSurvivesTheFile(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	e := 0.125
	err := d.Commit(func(m *Manifest) {
		m.Generating, m.Notices, m.TestError = Stage{State: Partial, Done: 3, Total: 7, Seconds: 0.1}, []string{`a "notice"`}, &e
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Committed(); !bytes.Equal(got.encode(), want.encode()) || got.Generating.Done != 3 || *got.TestError != e {
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
	_, err := decode(sealed("{\n  \"format\": 2,\n  \"program\": {\"version\": \"v9.1.0\"},\n  \"colour\": \"blue\""), "runs/x/manifest.json")
	isData(t, err, "has format 2; this program reads up to format 1; use rfm v9.1.0")
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

func rowsOf(first, count, K int) grid.Batch {
	b := grid.NewBatch(count, K)
	for i := range b.Data {
		b.Data[i] = float64(first*K + i)
	}
	return b
}

// What is behind the rows of the last commit is cut off, and the complete array is one for NumPy.
func TestArraysGrowAcrossSessions(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	grow := func() *Array {
		t.Helper()
		a, err := d.Grow("a.npy", 7, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	add := func(a *Array, first, count int) {
		t.Helper()
		u := rowsOf(first, count, 3)
		for i := range u.Data {
			u.Data[i] = -u.Data[i]
		}
		if err := errors.Join(a.Append(rowsOf(first, count, 3), u), a.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	again := func() {
		t.Helper()
		path := closed(t, d)
		var err error
		if d, err = Open(path, self, now); err != nil {
			t.Fatal(err)
		}
	}
	a := grow()
	add(a, 0, 2)
	if err := d.Commit(func(*Manifest) {}); err != nil {
		t.Fatal(err)
	}
	add(a, 2, 1) // not committed
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again()
	if _, rows, ok := d.Array("a.npy"); rows != 2 || !ok {
		t.Errorf("%d rows", rows)
	}
	if a = grow(); a.Rows() != 2 {
		t.Fatalf("%d rows", a.Rows())
	}
	add(a, 2, 5)
	if err := errors.Join(d.Commit(func(*Manifest) {}), a.Close()); err != nil {
		t.Fatal(err)
	}
	again()
	got, err := npy.ReadFile(d.File("a.npy"))
	if err != nil || !slices.Equal(got.Shape, []int{7, 2, 3}) {
		t.Fatalf("shape %v, %v", got.Shape, err)
	}
	err = d.ReadRows("a.npy", func(row int, values []float64) {
		if !slices.Equal(values, got.Data[6*row:6*row+6]) || values[0] != float64(3*row) || values[4] != -float64(3*row+1) {
			t.Errorf("row %d: %v", row, values)
		}
	})
	if err != nil {
		t.Error(err)
	}
	if f, _ := d.Manifest().File("a.npy"); f.Growing {
		t.Error("complete, but growing")
	}
	_, err = d.Grow("a.npy", 8, 2, 3)
	isData(t, err, "[8 2 3] is expected")
	closed(t, d)
}

func TestOpenSweepsWhatAKilledProcessLeft(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	if err := d.Write(CheckpointPrefix+"1.npy", func(w io.Writer) error { _, err := w.Write([]byte("kept")); return err }); err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(func(m *Manifest) { m.Generating.State = Partial }); err != nil {
		t.Fatal(err)
	}
	path := closed(t, d)
	for _, name := range []string{".manifest.json.123.partial", CheckpointPrefix + "2.npy", "mine.txt"} {
		if err := os.WriteFile(filepath.Join(path, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(path, self, now)
	if err != nil {
		t.Fatal(err)
	}
	if d.Manifest().Resumed != 1 {
		t.Errorf("resumed %d times", d.Manifest().Resumed)
	}
	d.Drop(CheckpointPrefix + "1.npy")
	if err := d.Commit(func(*Manifest) {}); err != nil {
		t.Fatal(err)
	}
	closed(t, d)
	entries, err := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{ConfigFile, ManifestFile, "mine.txt"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("files %v, want %v, %v", names, want, err)
	}
}

func TestVerifyFindsEverything(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	for _, name := range []string{"a", "b", "c"} {
		if err := d.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, "content of "+name); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Commit(func(*Manifest) {}); err != nil {
		t.Fatal(err)
	}
	if faults := Verify(d.Path()); len(faults) != 0 {
		t.Fatal(faults)
	}
	if err := errors.Join(os.Remove(d.File("a")), os.WriteFile(d.File("b"), []byte("content of B"), 0o644), os.Truncate(d.File("c"), 3)); err != nil {
		t.Fatal(err)
	}
	faults := Verify(d.Path())
	if len(faults) != 3 {
		t.Fatalf("found %v", faults)
	}
	isData(t, faults[0], d.File("a")+": is missing; it should have 12 bytes")
	isData(t, faults[1], d.File("b")+": is damaged: its SHA-256 is")
	isData(t, faults[2], d.File("c")+": is damaged: it has 3 bytes, not 12")
}

func TestOneProcessAtATime(t *testing.T) {
	path := closed(t, create(t, t.TempDir(), "x"))
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(executable)
	cmd.Env = append(os.Environ(), childRun+"="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 5)
	if _, err := io.ReadFull(stdout, said); err != nil || string(said) != "held\n" {
		t.Fatalf("the process said %q, %v", said, err)
	}
	_, err = Open(path, self, now)
	isData(t, err, "is in use by process ")
	var use *InUse
	if !errors.As(err, &use) || use.Holder.PID != cmd.Process.Pid || use.Holder.Command != filepath.Base(executable) || use.Holder.Host == "" || time.Since(use.Holder.Since) > time.Minute {
		t.Errorf("held by %+v", use)
	}
	if h := Holder(path); h == nil || h.PID != cmd.Process.Pid {
		t.Errorf("list: held by %v", h)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = stdin.Close()
	_ = cmd.Wait() // killed
	if _, err := os.Stat(filepath.Join(path, LockFile)); err != nil {
		t.Fatalf("the killed process has left no lock file to take over: %v", err)
	}
	if h := Holder(path); h != nil {
		t.Errorf("still held by %v", h)
	}
	d, err := Open(path, self, now)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, d)
}

func TestListShowsRunsAndWhatIsWrong(t *testing.T) {
	root := t.TempDir()
	if list, err := List(filepath.Join(root, "nothing")); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	older := closed(t, create(t, root, "older"))
	newer := create(t, root, "newer")
	if err := newer.Commit(func(*Manifest) {}); err != nil {
		t.Fatal(err)
	}
	damaged := closed(t, create(t, root, "damaged"))
	if err := os.Truncate(filepath.Join(damaged, ManifestFile), 100); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(root, "a directory"), 0o755), os.Mkdir(filepath.Join(root, ".hidden"), 0o755)); err != nil {
		t.Fatal(err)
	}
	list, err := List(root)
	if err != nil || len(list) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	if list[0].Path != newer.Path() || list[0].Holder == nil || list[0].Holder.PID != os.Getpid() || list[0].Fault != nil {
		t.Errorf("%+v", list[0])
	}
	if list[1].Path != older || list[1].Holder != nil || list[1].Manifest.Features != configuration(t).Features.Count || list[1].Manifest.Bytes() == 0 {
		t.Errorf("%+v", list[1])
	}
	isData(t, list[2].Fault, damaged)
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
				if f.Shape != nil && rows(f) > f.Shape[0] {
					t.Fatalf("%+v has %d rows", f, rows(f))
				}
			}
			if again, err := decode(m.encode(), "manifest"); err != nil || !bytes.Equal(again.encode(), m.encode()) {
				t.Fatalf("%+v does not survive: %v", m, err)
			}
		}
	})
}
