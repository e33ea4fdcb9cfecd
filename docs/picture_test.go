// This file generates the picture of the README from the screens.

package docs

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"image/color"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"rfm/config"
	"rfm/model/show/paper"
	"rfm/tui/golden"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
)

// The picture shows the results of the first preset on a terminal of 100x30. It is XML without scripts, and not large.
func TestPictureOfTheInterface(t *testing.T) {
	const name, width, height = "screen.svg", 100, 30
	if golden.Updating() {
		m := screen.New(session.Options{Config: config.Presets()[0].Config}, shell.Options{}, paper.NewTour(1))
		for _, msg := range []tea.Msg{tea.WindowSizeMsg{Width: width, Height: height},
			tea.KeyPressMsg{Code: 'r', Mod: tea.ModCtrl}} {
			deliver(m, msg)
		}
		noError(t, os.WriteFile(name, drawing(m.View().Content, width, height), 0o644))
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) > 1<<18 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	cells := 0
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if token == nil {
			break
		}
		noError(t, err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("it has a script")
		} else if ok && e.Name.Local == "text" {
			cells++
		}
	}
	if cells < height {
		t.Errorf("%d pieces of text", cells)
	}
}

// deliver delivers a message and all that follow from it.
func deliver(m tea.Model, msg tea.Msg) {
	list, batch := msg.(tea.BatchMsg)
	if !batch {
		_, cmd := m.Update(msg)
		list = append(list, cmd)
	}
	for _, cmd := range list {
		if cmd != nil {
			if next := cmd(); next != nil {
				deliver(m, next)
			}
		}
	}
}

// drawing returns a screen as a vector graphic: pieces of text of one style each, at their positions.
func drawing(content string, width, height int) []byte {
	const across, down = 8.4, 17.0 // of a cell, in pixels
	canvas := lipgloss.NewCanvas(width, height)
	canvas.Compose(lipgloss.NewLayer(content))
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="monospace" font-size="14">`+
		"\n<rect width=\"100%%\" height=\"100%%\" fill=\"#1e1e1e\"/>\n", across*float64(width), down*float64(height+1))
	for y := range height {
		for x := 0; x < width; {
			first, begin, text := canvas.CellAt(x, y), x, ""
			for ; x < width && sameStyle(first, canvas.CellAt(x, y)); x++ {
				text += canvas.CellAt(x, y).Content
			}
			fg, bg := hex(first.Style.Fg, "#d4d4d4"), hex(first.Style.Bg, "")
			if first.Style.Attrs&uv.AttrReverse != 0 {
				fg, bg = "#1e1e1e", fg
			}
			if bg != "" {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%g" fill="%s"/>`, across*float64(begin),
					down*float64(y)+4, across*float64(x-begin), down, bg)
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
				across*float64(begin), down*float64(y+1), fg, across*float64(x-begin), html.EscapeString(text))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
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
