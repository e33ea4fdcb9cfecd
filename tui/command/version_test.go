package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rfm/model/machine"
	"rfm/model/store"
)

func TestVersionIsWhatManifestsSay(t *testing.T) {
	code, out, errors := call(t, nil, "version", "--json")
	var p store.Program
	if err := json.Unmarshal([]byte(out), &p); code != exitDone || err != nil || p != machine.Program() {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, errors)
	}
	root := t.TempDir()
	m, err := store.Read(storeRun(t, root, "x"))
	if err != nil || m.Program != p {
		t.Errorf("a manifest says %+v, not %+v (%v)", m.Program, p, err)
	}
	code, out, _ = call(t, nil, "version")
	line := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"version " + p.Version, "Go " + runtime.Version(),
		"platform " + runtime.GOOS + "/" + runtime.GOARCH, "SIMD " + p.SIMD} {
		if code != exitDone || !strings.Contains(line, want) {
			t.Errorf("exit code %d, no %q in %s", code, want, out)
		}
	}
}

func TestVersionLineLeavesOutWhatIsNotKnown(t *testing.T) {
	p := store.Program{Version: "v1.2.3", Revision: "0123456789ab", Date: "2026-01-02T03:04:05Z", Go: "go1.26.0",
		Platform: "linux/arm64", SIMD: "pure Go"}
	if got, want := versionLine(p),
		"v1.2.3 (0123456789ab, 2026-01-02T03:04:05Z, go1.26.0, linux/arm64, pure Go)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Version, p.Revision, p.Date = "devel", "", ""
	if got, want := versionLine(p), "devel (go1.26.0, linux/arm64, pure Go)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A build in a clone of the repository knows its commit.
func TestBuildsKnowTheirCommit(t *testing.T) {
	if info, err := os.Stat(filepath.Join("..", "..", ".git")); err != nil || !info.IsDir() || testing.Short() {
		t.Skip("builds the program, in a clone")
	}
	if err := exec.Command("git", "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("git cannot read this clone")
	}
	binary := filepath.Join(t.TempDir(), "rfm")
	if out, err := exec.Command("go", "build", "-buildvcs=true", "-o", binary, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(binary, "version", "--json").CombinedOutput()
	var p store.Program
	if err != nil || json.Unmarshal(out, &p) != nil || len(p.Revision) < 12 || !strings.HasSuffix(p.Date, "Z") ||
		p.Version == "devel" {
		t.Errorf("%v: %s", err, out)
	}
}
