// This file says what lines of LaTeX are in the language of equations.

package equation

import (
	"regexp"
	"strings"
)

// latex are replacements of LaTeX by text, in turn.
var latex = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`\\frac\{\\partial(?:\^\d)? *(\w)\}\{\\partial (\w)(?:\^1)?\}`), "${1}_$2"},
	{regexp.MustCompile(`\\frac\{\\partial\^2 *(\w)\}\{\\partial (\w)\^2\}`), "${1}_$2$2"},
	{regexp.MustCompile(`\\partial_\{?(\w+)\}? *(\w)\b`), "${2}_$1"},
	{regexp.MustCompile(`_\{(\w+)\}`), "_$1"},
	{regexp.MustCompile(`\^\{([^{}]+)\}`), "^($1)"},
	{regexp.MustCompile(`\\(?:Delta|nabla\^2) *(\w)\b`), "lap($1)"},
	{regexp.MustCompile(`\\frac\{([^{}]+)\}\{([^{}]+)\}`), "($1)/($2)"},
	{regexp.MustCompile(`\\(?:left|right|,|;|quad)`), " "},
	{regexp.MustCompile(`\\cdot|\\times`), "*"},
	{regexp.MustCompile(`\\([A-Za-z]+)`), "$1"},
}

// fromLaTeX returns a line of LaTeX in the language of equations; "" if something of it remains.
func fromLaTeX(line string) string {
	for _, r := range latex {
		line = r.pattern.ReplaceAllString(line, r.text)
	}
	if strings.ContainsAny(line, `\{}$&`) {
		return ""
	}
	return strings.Join(strings.Fields(line), " ")
}
