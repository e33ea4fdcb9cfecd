package docs

import (
	"cmp"
	"go/ast"
	"go/token"
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

// A sentence has at most 25 words, and so have the parts around a colon or a semicolon; code and formulas count as one.
func TestSentencesAreShort(t *testing.T) {
	const most = 25
	blocks := regexp.MustCompile(`\n\s*\n|\n(?:[-#|]|\d+\. )`)
	sentence := regexp.MustCompile(`[.!?][*)]*\s+|[:;]\s+`)
	formula := regexp.MustCompile("\\$[^$]*\\$|`[^`]*`|\\S+ = \\S+")
	target := regexp.MustCompile(`\]\([^)]*\)`)
	for _, page := range pages(t) {
		if slices.Contains(generated, filepath.Base(page)) {
			continue
		}
		text := fences.ReplaceAllString(read(t, page), "\n\n")
		for _, block := range blocks.Split(text, -1) {
			if strings.Contains(block, " | ") || strings.HasPrefix(block, "    ") { // a row of a table, a picture
				continue
			}
			block = target.ReplaceAllString(formula.ReplaceAllString(block, "code"), "]")
			for _, s := range sentence.Split(block, -1) {
				if words := len(strings.Fields(s)); words > most {
					t.Errorf("%s: %d words, at most %d: %q", page, words, most, s)
				}
			}
		}
	}
}

// Pages are short: a way to do something fits on about one screen, an explanation on a few. Generated ones have no bound.
func TestPagesAreShort(t *testing.T) {
	bounds := map[string]int{"method.md": 1800, "architecture.md": 1050, "interface.md": 1950, "results.md": 1550,
		"performance.md": 900, "compare.md": 900, "files.md": 1100}
	const most = 800
	for _, page := range pages(t) {
		if base := filepath.Base(page); !slices.Contains(generated, base) {
			bound := cmp.Or(bounds[base], most)
			if words := len(strings.Fields(read(t, page))); words > bound {
				t.Errorf("%s has %d words, at most %d", page, words, bound)
			}
		}
	}
	if lines := strings.Count(read(t, filepath.Join(root, "README.md")), "\n"); lines > 120 {
		t.Errorf("README.md has %d lines, at most 120", lines)
	}
}

// A number in the README is in a table that a command measures, or on the page that tells how it was measured.
func TestReadmeNumbersHaveASource(t *testing.T) {
	sources := map[string]string{ // texts of README.md, and of the page that has the command
		"210 of 217 published numbers": "reproduction.md: 210 of 217 published numbers",
		"over ten seeds":               "reproduction.md: over ten draws",
		"three standard deviations":    "reproduction.md: within three standard deviations",
		"about 30 times as fast":       "performance.md: | `burgers` | 1, error 0.033 | 1.0, tolerance 1e-8 | **0.03**",
		"is 0.0014 for Burgers":        "reproduction.md: with standard deviation 0.0014",
		"Go 1.26":                      "../go.mod: go 1.26",
		"80 x 24":                      "interface.md: 60x15",
	}
	text := regexp.MustCompile(`\n +`).ReplaceAllString(read(t, filepath.Join(root, "README.md")), " ")
	begin, end := table{name: "readme-errors"}.marks()
	before, rest, _ := strings.Cut(text, begin)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatal("README.md has no table of errors")
	}
	text = before + after
	for claim, source := range sources {
		page, words, _ := strings.Cut(source, ": ")
		if !strings.Contains(text, claim) {
			t.Errorf("README.md does not have %q", claim)
		}
		if !strings.Contains(read(t, page), words) {
			t.Errorf("%s does not have %q, the source of the README", page, words)
		}
		text = strings.ReplaceAll(text, claim, "")
	}
	text, _, _ = strings.Cut(text, "## Cite")
	text = inCode.ReplaceAllString(fences.ReplaceAllString(text, ""), "")
	for _, number := range regexp.MustCompile(`\d+(?:\.\d+)?`).FindAllString(text, -1) {
		if number != "2021" && number != "1" && number != "2" { // the year of the paper, seed 1, the norm L2
			t.Errorf("README.md: %s has no source in this test", number)
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
	const mostWhats, mostLong, widest = 5, 110, 120
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

// The comment on a declaration begins with its name.
func TestDocCommentsBeginWithTheName(t *testing.T) {
	article := regexp.MustCompile(`^(?:An?|The) `)
	for name, file := range sources(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		check := func(declared *ast.Ident, doc *ast.CommentGroup) {
			text := article.ReplaceAllString(doc.Text(), "")
			if first := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n,:;'.", r) }); len(first) > 0 &&
				first[0] != declared.Name {
				t.Errorf("%s: the comment on %s begins with %q", name, declared.Name, first[0])
			}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Name, d.Doc)
			case *ast.GenDecl:
				if kind, ok := d.Specs[0].(*ast.TypeSpec); ok && d.Tok == token.TYPE && len(d.Specs) == 1 {
					check(kind.Name, d.Doc)
				}
			}
		}
	}
}
