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
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	before, err := TakeStamp(name)
	if err != nil || before.Differs(name) != "" {
		t.Fatal(err, before.Differs(name))
	}
	if err := os.Chtimes(name, time.Time{}, before.Modified.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if how := before.Differs(name); !strings.Contains(how, "written at") {
		t.Error(how)
	}
	write("three")
	if how := before.Differs(name); !strings.Contains(how, "3 bytes and has 5") {
		t.Error(how)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if how := before.Differs(name); !strings.Contains(how, "not there") {
		t.Error(how)
	}
}
