package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStampSeesWhatChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pairs.npy")
	if _, err := TakeStamp(name); err == nil {
		t.Error("a file that is not there has a stamp")
	}
	write := func(text string) {
		t.Helper()
		noError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write("one")
	before, err := TakeStamp(name)
	if err != nil || before.Differs(name) != "" {
		t.Fatal(err, before.Differs(name))
	}
	noError(t, os.Chtimes(name, time.Time{}, before.Modified.Add(time.Second)))
	if how := before.Differs(name); !strings.Contains(how, "written at") {
		t.Error(how)
	}
	write("three")
	if how := before.Differs(name); !strings.Contains(how, "3 bytes and has 5") {
		t.Error(how)
	}
	noError(t, os.Remove(name))
	if how := before.Differs(name); !strings.Contains(how, "not there") {
		t.Error(how)
	}
}
