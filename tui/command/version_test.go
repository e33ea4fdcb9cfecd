package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"rfm/model/machine"
	"rfm/model/store"
)

func TestVersionIsThatOfManifests(t *testing.T) {
	code, out, errors := call(t, nil, "--version")
	if p := machine.Program(); code != exitDone || out != "rfm version "+versionLine(p)+"\n" {
		t.Fatalf("exit code %d, %s%s", code, out, errors)
	}
	m, err := store.Read(storeRun(t, t.TempDir(), "x"))
	if err != nil || m.Program != machine.Program() {
		t.Errorf("a manifest has %+v (%v)", m.Program, err)
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
	out, err := exec.Command(binary, "--version").CombinedOutput()
	if !regexp.MustCompile(`^rfm version v\S+ \([0-9a-f]{12,}(\+dirty)?, \S+Z, go`).Match(out) || err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
