package machine

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestProgramNamesItsInstructions(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOARCH", Value: runtime.GOARCH},
		{Key: "GOOS", Value: "plan10"}, {Key: "GO" + strings.ToUpper(runtime.GOARCH), Value: "v3"}}}
	if got, want := program(info).Target, "GOARCH="+runtime.GOARCH+" GO"+strings.ToUpper(runtime.GOARCH)+"=v3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
