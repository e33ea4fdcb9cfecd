package stages

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/solver/progress"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// The time left at the end of a progress line is never cut.
func TestTimeLeftIsNotCut(t *testing.T) {
	th := theme.New(theme.Options{})
	began := time.Unix(1000, 0)
	p := engine.Progress{Stage: engine.Generating, Progress: progress.Progress{Done: 128, Total: 256, Unit: "samples",
		Note: "10.5 GF/s", Began: began, Now: began.Add(410 * time.Millisecond)}}
	line := ansi.Strip(running(th, p, strings.Repeat("#", 20), session.Generate, 2, 80))
	if !strings.HasSuffix(line, " left") || len([]rune(line)) > 80 {
		t.Errorf("line %q", line)
	}
}
