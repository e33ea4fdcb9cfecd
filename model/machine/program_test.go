package machine

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestProgramNamesItsInstructions(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOARCH", Value: runtime.GOARCH},
		{Key: "GOOS", Value: "plan10"}, {Key: "GOAMD64", Value: "v3"}}}
	if got, want := target(info), "GOARCH="+runtime.GOARCH+" GOAMD64=v3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
