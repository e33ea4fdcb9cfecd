package docs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// forbidden lists phrases of translated English and private words, each with its replacement. No page may have them.
var forbidden = []struct {
	pattern, instead string
}{
	{`(?i)\bwhat\b`, "the name of the thing"},
	{`\b(go|goes|going|gone|went) on\b`, "resume, continue"},
	{`\bbeside\b`, "next to, compared with"},
	{`\banew\b`, "again, from scratch"},
	{`\b(it|that|this|which) is no\b|\bis no (name|file|sweep|table|key|run)\b`, "is not a"},
	{`\bsay(s|ing)?\b|\bsaid\b`, "reports, prints, warns, lists"},
	{`\bhardly\b|\bworth mentioning\b|\bor so\b|\bat any rate\b`, "the statement, or nothing"},
	{`\b[Rr]ivals?\b`, "baseline, other method"},
	{`\bcommutes? with (shifts|translations)\b`, "translation-equivariant"},
	{`\bon show\b|\bat hand\b|\bsitting\b`, "active, current"},
	{`\b(do|does|is|are|can|wo|it|that)(n't|'s)\b`, "the words in full"},
	{`\bprototype\b`, "a result with its command"},
	{`\bscatter`, "standard deviation over seeds"},
	{`\b(law|laws) of (the |its )?inputs\b`, "distribution of the inputs"},
}

// generated lists pages whose words come from the code.
var generated = []string{"commands.md", "configuration.md"}

var (
	fences = regexp.MustCompile("(?s)```.*?```|<!-- keys -->.*?<!-- end of keys -->|<!-- terms -->.*?<!-- end of " +
		"terms -->")
	inCode   = regexp.MustCompile("`[^`]*`")
	headings = regexp.MustCompile(`(?m)^(#+) (.*)$`)
)

func TestWords(t *testing.T) {
	patterns := make([]*regexp.Regexp, len(forbidden))
	for i, f := range forbidden {
		patterns[i] = regexp.MustCompile(f.pattern)
	}
	for _, page := range pages(t) {
		if slices.Contains(generated, filepath.Base(page)) {
			continue
		}
		text := fences.ReplaceAllStringFunc(read(t, page), func(block string) string { // keeps line numbers
			return strings.Repeat("\n", strings.Count(block, "\n"))
		})
		for i, line := range strings.Split(text, "\n") {
			if filepath.Base(page) == "CONTRIBUTING.md" && strings.Contains(line, `"`) { // examples of forbidden words
				continue
			}
			line = inCode.ReplaceAllString(line, "")
			for j, f := range forbidden {
				if found := patterns[j].FindString(line); found != "" {
					t.Errorf("%s:%d: %q; write %s", page, i+1, found, f.instead)
				}
			}
		}
	}
}

// A page starts by naming its readers, except for the index and pages for developers of this repository.
func TestPagesNameTheirReaders(t *testing.T) {
	for _, page := range pages(t) {
		switch filepath.Base(page) {
		case "README.md", "CONTRIBUTING.md", "index.md":
			continue
		}
		_, rest, _ := strings.Cut(read(t, page), "\n\n")
		if !strings.HasPrefix(rest, "*For ") {
			t.Errorf("%s does not begin with the readers that it is for: *For ...*", page)
		}
	}
}

// Headings are short noun phrases or tasks, and unique within their page.
func TestHeadings(t *testing.T) {
	for _, page := range pages(t) {
		seen := map[string]bool{}
		for _, found := range headings.FindAllStringSubmatch(fences.ReplaceAllString(read(t, page), ""), -1) {
			title := found[2]
			if words := len(strings.Fields(title)); words > 7 || seen[title] || strings.HasSuffix(title, "?") && page != filepath.Join(root, "README.md") {
				t.Errorf("%s: heading %q: at most 7 words, each once, no riddle", page, title)
			}
			seen[title] = true
		}
	}
}

// Comments in Go name their subjects, and lines are short enough to be read. The numbers may only be lowered.
func TestComments(t *testing.T) {
	const mostWhats, mostLong, widest = 6, 110, 120
	comment := regexp.MustCompile(`//.*\b[Ww]hat\b`)
	whats, long := 0, 0
	for _, folder := range rooms {
		walk(t, folder, func(name string, content []byte) {
			if !strings.HasSuffix(name, ".go") || strings.Contains(string(content[:min(200, len(content))]), "Code generated") {
				return
			}
			for line := range strings.Lines(string(content)) {
				if comment.MatchString(line) {
					whats++
				}
				if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > widest {
					long++
				}
			}
		})
	}
	if whats > mostWhats || long > mostLong {
		t.Errorf("%d comments with a clause that begins with what, at most %d; %d lines over %d characters, at most %d", whats,
			mostWhats, long, widest, mostLong)
	}
}
