package terminal

import (
	"os"
	"testing"
)

func TestLocaleDecidesAboutUnicode(t *testing.T) {
	for _, test := range []struct {
		environ []string
		want    bool
		dots    bool
	}{
		{[]string{"LANG=en_US.UTF-8"}, true, true},
		{[]string{"LANG=C.utf8"}, true, true},
		{[]string{"LANG=C.utf8", "TERM=linux"}, true, false},
		{[]string{"LANG=en_US.UTF-8", "LC_ALL=C"}, false, false},
		{[]string{"LC_ALL=POSIX"}, false, false},
		{[]string{"TERM=xterm-256color"}, true, true},
		{[]string{"TERM=linux"}, false, false},
		{[]string{"TERM=dumb"}, os.PathSeparator == '\\', false},
	} {
		a := New(nil, nil, nil, test.environ)
		if got := a.Appearance().Dots(); got != test.dots && os.PathSeparator != '\\' {
			t.Errorf("%v: dots %v", test.environ, got)
		}
		if got := utf8Locale(test.environ); got != test.want {
			t.Errorf("%v: %v", test.environ, got)
		}
	}
}
