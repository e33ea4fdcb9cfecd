// This file records the moving picture of the README from the screens.

package docs

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"html"
	"image/color"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"rfm/config"
	"rfm/model/show/paper"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
)

// moving records the moving picture again: go test ./docs -run TestMovingPicture -moving
var moving = flag.Bool("moving", false, "record the moving picture of the README again")

// The moving picture shows an equation that is typed, its picture and model, a run, its error, and an input that is drawn
// out of the training law. It is XML without scripts, below a megabyte.
func TestMovingPicture(t *testing.T) {
	const name, width, height = "moving.svg", 100, 30
	if *moving {
		r := newRecorder(t, width, height)
		r.typeEquation("u_t = 0.005*u_xx - u_x + 2*u*(1 - u^2)")
		r.run()
		r.draw()
		noError(t, os.WriteFile(name, r.animation(), 0o644))
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) > 1<<20 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	frames := 0
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if token == nil {
			break
		}
		noError(t, err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("it has a script")
		} else if ok && e.Name.Local == "g" {
			frames++
		}
	}
	if frames < height || !bytes.Contains(text, []byte(">outside<")) {
		t.Errorf("%d rows, or no alarm in them", frames)
	}
}

// A shot is a picture of the screen, and how long it is shown.
type shot struct {
	content string
	seconds float64
}

// A recorder drives the interface and takes pictures.
type recorder struct {
	t             *testing.T
	model         *shell.Model
	width, height int
	shots         []shot
}

func newRecorder(t *testing.T, width, height int) *recorder {
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "data.train=512", "features.count=1024", "data.test=256"))
	look := shell.Options{Theme: theme.Options{Profile: colorprofile.TrueColor, Fixed: true}}
	r := &recorder{t: t, model: screen.New(session.Options{Config: c}, look, paper.NewTour(1)), width: width, height: height}
	follow(r.model, tea.WindowSizeMsg{Width: width, Height: height}, nil)
	return r
}

// take takes a picture.
func (r *recorder) take(seconds float64) {
	r.shots = append(r.shots, shot{r.model.View().Content, seconds})
}

// press presses a key and waits for all that follows from it.
func (r *recorder) press(key tea.KeyPressMsg) { follow(r.model, key, nil) }

// letter returns the press of a key with a letter.
func letter(l rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: l, Text: string(l)} }

// typeEquation types an equation over the old one.
func (r *recorder) typeEquation(text string) {
	r.model.Session().Select("equation.text")
	follow(r.model, nil, nil)
	r.take(1.5)
	r.press(tea.KeyPressMsg{Code: tea.KeyEnter})
	r.press(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	for _, l := range text {
		r.press(letter(l))
		r.take(0.1)
	}
	r.take(1)
	r.press(tea.KeyPressMsg{Code: tea.KeyEnter})
	r.take(2)
}

// run computes everything, with some pictures on the way.
func (r *recorder) run() {
	const most = 6
	var way []string
	follow(r.model, tea.KeyPressMsg{Code: 'r', Mod: tea.ModCtrl}, func() {
		content := r.model.View().Content
		if len(way) == 0 || way[len(way)-1] != content {
			way = append(way, content)
		}
	})
	for i := range most {
		r.shots = append(r.shots, shot{way[i*(len(way)-1)/most], 0.4})
	}
	r.take(4)
}

// draw pulls an input out of the training law and brings it back.
func (r *recorder) draw() {
	r.press(letter('d'))
	r.take(2)
	for range 4 {
		r.press(tea.KeyPressMsg{Code: tea.KeyLeft})
		r.take(0.15)
	}
	for range 6 {
		r.press(tea.KeyPressMsg{Code: tea.KeyUp})
		r.take(0.4)
	}
	r.take(3)
	for range 6 {
		r.press(letter('u'))
		r.take(0.15)
	}
	r.press(letter('w'))
	r.take(1)
	r.press(letter('w'))
	r.take(2)
}

// follow delivers a message and all that follow from it, and calls seen after each; nil for nothing.
func follow(m tea.Model, msg tea.Msg, seen func()) {
	list, batch := msg.(tea.BatchMsg)
	if !batch {
		_, cmd := m.Update(msg)
		list = append(list, cmd)
		if seen != nil {
			seen()
		}
	}
	for _, cmd := range list {
		if cmd != nil {
			if next := cmd(); next != nil {
				follow(m, next, seen)
			}
		}
	}
}

// animation returns the pictures as one vector graphic. Each row of the screen is drawn once for each of its contents, and
// is visible while the screen has it, again and again.
func (r *recorder) animation() []byte {
	total := 0.0
	begins := []float64{} // of the shots, in seconds; then the end
	for _, s := range r.shots {
		begins = append(begins, total)
		total += s.seconds
	}
	begins = append(begins, total)
	var body, style bytes.Buffer
	known := map[[2]int]bool{}
	for y := range r.height {
		rows := make([]string, len(r.shots))
		for i, s := range r.shots {
			rows[i] = r.row(s.content, y)
		}
		for first := 0; first < len(rows); {
			after := first + 1
			for after < len(rows) && rows[after] == rows[first] {
				after++
			}
			if span := [2]int{first, after}; !known[span] {
				known[span] = true
				writeSpan(&style, span, begins, total)
			}
			fmt.Fprintf(&body, "<g class=\"s%d_%d\">%s</g>\n", first, after, rows[first])
			first = after
		}
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="monospace" font-size="14">`+"\n",
		cellWidth*float64(r.width), cellHeight*float64(r.height+1))
	fmt.Fprintf(&all, "<style>g{animation-duration:%.2fs;animation-iteration-count:infinite;animation-timing-function:step-end}\n%s"+
		"</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#1e1e1e\"/>\n", total, style.String())
	all.Write(body.Bytes())
	all.WriteString("</svg>\n")
	return all.Bytes()
}

// writeSpan writes the style of rows that are visible from one shot to another.
func writeSpan(b *bytes.Buffer, span [2]int, begins []float64, total float64) {
	from := 100 * begins[span[0]] / total
	to := 100 * begins[span[1]] / total
	name := fmt.Sprintf("s%d_%d", span[0], span[1])
	fmt.Fprintf(b, ".%s{animation-name:%s}@keyframes %s{", name, name, name)
	if from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	fmt.Fprintf(b, "%.3f%%{visibility:visible}", from)
	if to < 100 {
		fmt.Fprintf(b, "%.3f%%{visibility:hidden}", to)
	}
	b.WriteString("}\n")
}

// cellWidth and cellHeight are the size of a cell in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 17.0
)

// row returns a row of a screen as pieces of text.
func (r *recorder) row(content string, y int) string {
	canvas := lipgloss.NewCanvas(r.width, r.height)
	canvas.Compose(lipgloss.NewLayer(content))
	var b bytes.Buffer
	drawRow(&b, canvas, r.width, y)
	return strings.ReplaceAll(b.String(), "\n", "")
}

// drawRow writes a row of a screen as pieces of text.
func drawRow(b *bytes.Buffer, canvas *lipgloss.Canvas, width, y int) {
	for x := 0; x < width; {
		first := canvas.CellAt(x, y)
		begin := x
		text := ""
		for ; x < width && sameStyle(first, canvas.CellAt(x, y)); x++ {
			text += canvas.CellAt(x, y).Content
		}
		fg := hex(first.Style.Fg, "#d4d4d4")
		bg := hex(first.Style.Bg, "")
		if first.Style.Attrs&uv.AttrReverse != 0 {
			fg, bg = "#1e1e1e", fg
		}
		left := cellWidth * float64(begin)
		length := cellWidth * float64(x-begin)
		if bg != "" {
			fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%g" fill="%s"/>`, left, cellHeight*float64(y)+4, length,
				cellHeight, bg)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		weight := ""
		if first.Style.Attrs&uv.AttrBold != 0 {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
			left, cellHeight*float64(y+1), fg, weight, length, html.EscapeString(text))
	}
}

// sameStyle reports whether two cells have the same style.
func sameStyle(a, b *uv.Cell) bool { return a.Style.Equal(&b.Style) }

// hex returns a colour in the notation of CSS.
func hex(c color.Color, otherwise string) string {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
