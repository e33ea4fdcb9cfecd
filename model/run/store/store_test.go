package store

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/solver/base/files"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func configuration(t testing.TB) config.Config {
	t.Helper()
	c, err := config.PresetByName("quick")
	noError(t, err)
	return c
}

func begin(t testing.TB, root, name string) *Run {
	t.Helper()
	d, _, err := Begin(t.Context(), root, name, false, configuration(t), nil)
	noError(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	})
	return d
}

// text returns a product with the given content.
func text(name, content string) files.File { return files.Text(name, []byte(content)) }

// put stores products.
func put(t testing.TB, d *Run, products ...files.File) {
	t.Helper()
	noError(t, d.Put(products...))
}

// complete stores all products of a complete run.
func complete(t testing.TB, d *Run) {
	t.Helper()
	put(t, d, text(TrainFile, "pairs"), text(TestFile, "pairs"), text(ModelFile, "model"),
		text(ReportFile, `{"test":{"expected_relative":0.125}}`))
}

func closed(t testing.TB, d *Run) string {
	t.Helper()
	noError(t, d.Close())
	return d.Path
}

// isData fails unless err is a *fault.Data with a message.
func isData(t *testing.T, err error, says string) {
	t.Helper()
	filetest.Refused(t, t.Name(), err, says)
}

func TestCreateNamesRuns(t *testing.T) {
	root := filepath.Join(t.TempDir(), "runs")
	first, second := begin(t, root, ""), begin(t, root, "")
	if a, b := filepath.Base(first.Path), filepath.Base(second.Path); a != "burgers-quick" || b != "burgers-quick-2" {
		t.Errorf("runs %q and %q", a, b)
	}
	text, err := os.ReadFile(first.File(ConfigFile))
	if err != nil || !bytes.Equal(text, configuration(t).TOML()) {
		t.Errorf("configuration %q, %v", text, err)
	}
	for name, says := range map[string]string{filepath.Base(first.Path): "exists already", "../x": "plain name",
		"a/b": "plain name", ".x": "plain name", "-x": "begins with -", " ": "a blank", "a ": "a blank",
		"a.":  "ends with a dot",
		"CON": "device", "nul.b": "device", "a\nb": "cannot be printed", "a\x1b[31m": "cannot be printed",
		"\xff": "cannot be printed"} {
		_, err := create(root, name, configuration(t), nil)
		isData(t, err, says)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v, want two directories: refused names leave nothing behind", entries, err)
	}
}

// A file in the way replaces a directory without permissions, which do not stop root.
func TestPlacesThatCannotBeWrittenAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	noError(t, os.WriteFile(file, nil, 0o644))
	_, err := create(file, "x", configuration(t), nil)
	isData(t, err, file)
	_, err = create(filepath.Join(file, "below"), "", configuration(t), nil)
	isData(t, err, file)

	d := begin(t, t.TempDir(), "x")
	path := closed(t, d)
	lock := filepath.Join(path, LockFile)
	noError(t, errors.Join(os.Remove(lock), os.Mkdir(lock, 0o755)))
	_, err = Open(t.Context(), path)
	isData(t, err, LockFile)
}

func TestReadOnlyRunsAreRefusedBeforeAnythingIsComputed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	path := closed(t, begin(t, t.TempDir(), "x"))
	noError(t, os.Chmod(path, 0o500))
	_, err := Open(t.Context(), path)
	isData(t, err, "cannot be written")
}

func TestOpenSweepsWhatAKilledProcessLeft(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	put(t, d, text(TrainFile, "pairs"), text(TestFile, "pairs"))
	noError(t, errors.Join(writeRows(d.Units(), TrainFile, 0, pairsOf(0, 2)),
		writeRows(d.Units(), TestPredictionsFile, 0, pairsOf(0, 2))))
	path := closed(t, d)
	long := time.Now().Add(-2 * abandoned)
	for name, changed := range map[string]time.Time{"units/.x.npy.ABCDEFGHIJ.partial": long,
		"units/.live.npy.ABCDEFGHIJ.partial": time.Now(), "mine.txt": long} {
		name = filepath.Join(path, name)
		noError(t, errors.Join(os.WriteFile(name, nil, 0o644), os.Chtimes(name, changed, changed)))
	}
	d, err := Open(t.Context(), path)
	noError(t, err)
	if d.Resumed != 1 {
		t.Errorf("resumed %d times", d.Resumed)
	}
	closed(t, d)
	var names []string
	for _, directory := range []string{path, filepath.Join(path, UnitsDirectory)} {
		entries, err := os.ReadDir(directory)
		noError(t, err)
		for _, e := range entries {
			names = append(names, e.Name()[:min(11, len(e.Name()))])
		}
	}
	if want := []string{SumsFile, ConfigFile, LockFile, "mine.txt", "program.jso", TestFile, TrainFile, UnitsDirectory,
		".live.npy.A", "predictions"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
}

func TestVerifyFindsEverything(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	put(t, d, text("a", "content of a"), text("b", "content of b"), text("c", "content of c"))
	if faults := Verify(t.Context(), d.Path); len(faults) != 0 {
		t.Fatal(faults)
	}
	noError(t, errors.Join(os.Remove(d.File("a")), os.WriteFile(d.File("b"), []byte("content of B"), 0o644),
		os.Truncate(d.File("c"), 3)))
	faults := Verify(t.Context(), d.Path)
	if len(faults) != 3 {
		t.Fatalf("found %v", faults)
	}
	isData(t, faults[0], d.File("a")+" is missing")
	isData(t, faults[1], d.File("b")+" is damaged: its SHA-256 is")
	isData(t, faults[2], d.File("c")+" is damaged: its SHA-256 is")
	_, err := Open(t.Context(), closed(t, d))
	for _, fault := range faults {
		isData(t, err, fault.Error())
	}
}

// If another process does not see the lock and opens the run, the process that is writing a product loses nothing.
func TestOpenRemovesNothingOfALiveWriter(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	product := files.File{Name: TrainFile, Content: func(w io.Writer) error {
		if err := os.Remove(d.File(LockFile)); err != nil {
			return err
		}
		other, err := Open(t.Context(), d.Path)
		if err != nil {
			return err
		}
		return other.Close()
	}}
	put(t, d, product, text(TestFile, "pairs"))
	closed(t, d)
}

// A process that waits for the lock of a run that is completed meanwhile neither locks it nor changes it.
func TestOpenNoticesThatTheRunWasCompleted(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	var group sync.WaitGroup
	group.Go(func() {
		other, err := Open(t.Context(), d.Path)
		var use *InUse
		if errors.As(err, &use) { // this machine is busy
			return
		}
		if err != nil || other.lock != nil || !other.Complete() {
			t.Errorf("got %+v, %v, want a complete run without a lock", other, err)
		}
	})
	time.Sleep(patience / 4)
	complete(t, d)
	closed(t, d)
	group.Wait()
	for _, name := range []string{UnitsDirectory, LockFile} {
		if _, err := os.Stat(d.File(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Products can be verified without this program.
func TestChecksumsAreThoseOfSha256sum(t *testing.T) {
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip(err)
	}
	d := begin(t, t.TempDir(), "x")
	complete(t, d)
	check := func() error {
		cmd := exec.Command(program, "-c", SumsFile)
		cmd.Dir = d.Path
		return cmd.Run()
	}
	noError(t, check())
	noError(t, os.WriteFile(d.File(ModelFile), []byte("other"), 0o644))
	if check() == nil {
		t.Error("damage is not found")
	}
}

func TestListShowsRunsAndWhatIsWrong(t *testing.T) {
	root := t.TempDir()
	if list, err := List(filepath.Join(root, "nothing")); err != nil || len(list) != 0 {
		t.Errorf("a directory that does not exist has the runs %v, %v, want none", list, err)
	}
	older := closed(t, begin(t, root, "older"))
	newer := begin(t, root, "newer")
	put(t, newer)
	damaged := closed(t, begin(t, root, "damaged"))
	noError(t, os.Truncate(filepath.Join(damaged, ProgramFile), 100))
	noError(t, errors.Join(os.Mkdir(filepath.Join(root, "a directory"), 0o755),
		os.Mkdir(filepath.Join(root, ".hidden"), 0o755)))
	list, err := List(root)
	if err != nil || len(list) != 3 {
		t.Fatalf("got %v, %v, want three runs", list, err)
	}
	if list[0].Path != newer.Path || list[0].Holder == nil || list[0].Holder.PID != os.Getpid() || list[0].Fault != nil {
		t.Errorf("%+v", list[0])
	}
	if list[1].Path != older || list[1].Holder != nil || list[1].M != configuration(t).Features.Count ||
		list[1].Run.Bytes == 0 {
		t.Errorf("%+v", list[1])
	}
	isData(t, list[2].Fault, damaged)
}

// Runs made simultaneously get a directory each; of several with the same explicit name, only one succeeds.
func TestSimultaneousRunsHaveDirectoriesOfTheirOwn(t *testing.T) {
	const makers = 8
	for _, name := range []string{"", "race"} {
		root := t.TempDir()
		made, failures := make([]string, makers), make([]error, makers)
		var group sync.WaitGroup
		for i := range makers {
			group.Go(func() { made[i], failures[i] = create(root, name, configuration(t), nil) })
		}
		group.Wait()
		paths := map[string]bool{}
		for i, d := range made {
			if failures[i] != nil {
				isData(t, failures[i], "exists already")
				continue
			}
			paths[d] = true
			if faults := Verify(t.Context(), d); len(faults) > 0 {
				t.Error(faults)
			}
		}
		want := makers
		if name != "" {
			want = 1
		}
		entries, err := os.ReadDir(root)
		if err != nil || len(paths) != want || len(entries) != want {
			t.Errorf("name %q: %d runs of %d, %d entries, %v", name, len(paths), want, len(entries), err)
		}
	}
}

// A run may already have a file that it writes: a user has made it, or another write came in between.
func TestFileThatTheRunHasIsReplaced(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	for _, content := range []string{"first", "second one"} {
		put(t, d, text("errors.csv", content))
		if text, err := d.ReadFile(t.Context(), "errors.csv"); err != nil || string(text) != content {
			t.Errorf("got %q, %v, want %q", text, err, content)
		}
	}
}

// Two processes that do not see each other's locks do not lose each other's products.
func TestProductsOfTwoProcessesAreJoined(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	other, err := Read(d.Path)
	noError(t, err)
	put(t, d, text(TrainFile, "pairs"))
	put(t, &other, text(TestFile, "pairs"))
	put(t, d, text(ModelFile, "model"))
	m, err := Read(d.Path)
	if err != nil || len(m.Sums) != 4 || m.Reached() != 2 {
		t.Errorf("got %+v, %v, want four files with sums and two stages reached", m, err)
	}
}

// A directory from elsewhere cannot make the program read or write files outside it.
func TestLinksInARunAreNotFollowed(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "thesis.tex")
	begun := func() *Run {
		d := begin(t, t.TempDir(), "x")
		put(t, d, text("errors.csv", ""))
		return d
	}
	link := func(d *Run, name string) {
		t.Helper()
		_ = os.Remove(d.File(name)) // it may not exist
		if err := errors.Join(os.WriteFile(mine, []byte("precious"), 0o644), os.Symlink(mine, d.File(name))); err != nil {
			t.Skip(err)
		}
	}
	intact := func(what string) {
		t.Helper()
		if text, err := os.ReadFile(mine); err != nil || string(text) != "precious" {
			t.Errorf("%s: the file behind the link has %q, %v", what, text, err)
		}
	}

	d := begun()
	link(d, "train.npy")
	put(t, d, Rows("train.npy", Block{rowsOf(0, 4, 9)}))
	intact("an array")

	d = begun()
	path := closed(t, d)
	link(d, LockFile)
	_, err := Open(t.Context(), path)
	isData(t, err, "a symbolic link")
	intact("the lock")

	d = begun()
	complete(t, d)
	path = closed(t, d)
	link(d, LockFile)
	if _, err := Open(t.Context(), path); err != nil {
		t.Error(err)
	}
	intact("the lock of a complete run")

	for _, name := range []string{ProgramFile, ConfigFile, SumsFile} {
		d = begun()
		path = closed(t, d)
		link(d, name)
		_, err = Open(t.Context(), path)
		isData(t, err, "a symbolic link")
		intact(name)
	}
}

// A name may be abbreviated as long as it is unique, and Newest names the newest complete run.
func TestRunsAreFoundByPrefixesAndTheNewest(t *testing.T) {
	root := t.TempDir()
	_, err := Find(root, newestName)
	isData(t, err, "has no complete run")
	for _, name := range []string{"wide-1", "wide-2", "wide", "night"} {
		d := begin(t, root, name)
		if name == "wide-1" {
			complete(t, d)
		}
		closed(t, d)
	}
	for name, want := range map[string]string{"n": "night", "wide": "wide", "wide-2": "wide-2", newestName: "wide-1"} {
		if path, err := Find(root, name); err != nil || path != filepath.Join(root, want) {
			t.Errorf("%s: got %s, %v, want %s", name, path, err, want)
		}
	}
	for name, want := range map[string]string{"ni": "night", "@": "wide-1"} {
		if path, err := Find(t.TempDir(), filepath.Join(root, name)); err != nil || path != filepath.Join(root, want) {
			t.Errorf("%s in a directory: %s, %v", name, path, err)
		}
		if path, err := Find(filepath.Dir(root), filepath.Join(filepath.Base(root), name)); err != nil ||
			path != filepath.Join(root, want) {
			t.Errorf("%s in a directory below: %s, %v", name, path, err)
		}
	}
	_, err = Find(root, "wi")
	isData(t, err, "begins the names of 3 runs")
	_, err = Find(root, "x")
	isData(t, err, "is neither a run")
}

// A process that is killed after its last write leaves units behind; whoever opens the complete run removes them.
func TestUnitsOfACompleteRunAreRemoved(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	complete(t, d)
	path := closed(t, d)
	for _, name := range []string{UnitsDirectory, ClaimsDirectory} {
		noError(t, os.Mkdir(filepath.Join(path, name), 0o755))
	}
	d, err := Open(t.Context(), path)
	noError(t, err)
	closed(t, d)
	for _, name := range []string{UnitsDirectory, ClaimsDirectory} {
		if _, err := os.Stat(filepath.Join(path, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A process that records a split while others complete the run makes no place for units, which workers would fill.
func TestCompleteRunsStayWithoutUnits(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	other, err := Read(d.Path)
	noError(t, err)
	product := files.File{Name: "errors.csv", Content: func(io.Writer) error { complete(t, d); return nil }}
	if err := other.Put(product); !errors.Is(err, ErrComplete) {
		t.Errorf("got %v", err)
	}
	if exists(d.File(UnitsDirectory)) {
		t.Error("there is a place for units")
	}
}

// A run that fails after some of its units are stored stays, for the cause may pass.
func TestRunsWithUnitsAreNotDiscarded(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, writeRows(d.Units(), TrainFile, 0, pairsOf(0, 2)))
	if fate, err := d.Discard(); err != nil || !strings.Contains(fate, "stays as it is") || !exists(d.File(ConfigFile)) {
		t.Errorf("got %q, %v, want a run that stays as it is, with its configuration", fate, err)
	}
}

// Names of runs say what their pairs are from and what is unusual about them.
func TestNamesSayWhatIsUnusual(t *testing.T) {
	for settings, want := range map[string]string{
		"quick":                              "burgers-quick",
		"burgers":                            "burgers",
		"burgers-tuned":                      "burgers-tuned",
		"darcy-quick":                        "darcy-quick",
		"burgers seed=2 train.method=kernel": "burgers-kernel-seed2",
		"quick features.count=1024 nu=0.02":  "burgers-quick-nu0.02-m1024",
		"quick evaluation.bands=yes data.test=99":                                        "burgers-quick",
		"ks seed=2 data.train=64 data.grid=129 train.grid=65 features.count=9 delta=0.1": "ks-seed2-n64-grid129-m9-etc",
		"equation equation.text=u_t_=_nu*u_xx+u^2":                                       "u_t-nu.u_xx+u2",
		"equation equation.text=u_t_=_0.1*u_xx+u*(1-u)":                                  "u_t-0.1.u_xx+u.1-u",
		"functions data.train_file=/d/spring.csv train.method=best":                      "spring",
		"functions data.train_file=/d/spring.csv train.method=kernel":                    "spring-kernel",
	} {
		words := strings.Fields(settings)
		c, err := config.PresetByName(words[0])
		noError(t, err)
		for _, assignment := range words[1:] {
			noError(t, config.Assign(&c, strings.ReplaceAll(assignment, "_=_", " = ")))
		}
		if got := nameOf(c); got != want {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
		noError(t, CheckName(nameOf(c)))
	}
}

// Runs of own data are named by their file.
func TestStemsAreFromTheFileOfThePairs(t *testing.T) {
	c, err := config.PresetByName(config.Functions)
	noError(t, err)
	for file, want := range map[string]string{"": "functions", "/data/spring.csv": "spring",
		"/d/a b,c.v2.npz": "a-b-c-v2", "/d/.npz": "functions", "/d/CON.npz": "CON", "/d/-x.npz": "x", "ü.npy": "functions",
		"/d/" + strings.Repeat("long", 30) + ".npz": strings.Repeat("long", 10)} {
		c.Data.TrainFile = file
		if got := Stem(c); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
	samples := filepath.Join(t.TempDir(), "samples")
	for _, name := range []string{"s0.csv", "s1.csv", filepath.Join("in", "0.npy"), filepath.Join("out", "0.npy")} {
		name = filepath.Join(samples, name)
		noError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		noError(t, os.WriteFile(name, nil, 0o666))
	}
	for _, source := range []string{samples, samples + string(filepath.Separator), filepath.Join(samples, "*.csv"),
		filepath.Join(samples, "in") + "," + filepath.Join(samples, "out")} {
		c.Data.TrainFile = source
		if got := Stem(c); got != "samples" {
			t.Errorf("%q: %q, want the name of the directory", source, got)
		}
	}
	if got := Stem(configuration(t)); got != "burgers" {
		t.Errorf("generated pairs: %q", got)
	}
}
