// This file draws a scene: header, words, equation, numbers, picture, progress, keys.

package demo

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// View implements tea.Model: it draws the current scene.
func (m *Model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.WindowTitle = "rfm demo"
	return v
}

// roomy is the least height with decoration, in lines.
const roomy = 20

func (m *Model) content() string { return m.look.Theme.Text(m.wholeContent()) }

// wholeContent returns the scene with the ellipses of Unicode.
func (m *Model) wholeContent() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.width < minWidth || m.height < minHeight {
		text := ansi.Wordwrap(fmt.Sprintf("rfm demo needs a terminal of at least %dx%d, this one has %dx%d", minWidth,
			minHeight, m.width, m.height), m.width, "")
		return layout.Fit(text, m.width, m.height)
	}
	s, th := m.scenes[m.at], m.look.Theme
	lines := m.header()
	for line := range strings.SplitSeq(ansi.Wordwrap(symbols(th, s.words), m.width-2, ""), "\n") {
		lines = append(lines, " "+line)
	}
	equation := s.equation
	if th.ASCII {
		equation = s.plain
	}
	if m.height >= roomy {
		lines = append(lines, "")
	}
	page := report.Page{}
	if m.ready() {
		page = s.page(&m.findings, m.frame())
	}
	left, right := "   "+th.Value.Render(equation), th.Prediction.Render(page.Heading)+" "
	if m.height < roomy && layout.HaveRoom(m.width, left, right) {
		lines = append(lines, layout.Opposite(m.width, left, right))
	} else {
		lines = append(lines, left, " "+right)
	}
	footer := append(m.speakersNotes(), m.footer()...)
	lines = append(lines, m.body(page, m.width, m.height-len(lines)-len(footer)))
	return layout.Fit(strings.Join(lines, "\n"), m.width, m.height-len(footer)) + "\n" + strings.Join(footer, "\n")
}

// symbols returns text with the letters of the formulas, in ASCII unchanged.
func symbols(th theme.Theme, text string) string {
	if th.ASCII {
		return text
	}
	return strings.NewReplacer("theta_1", "θ₁", "theta", "θ", "alpha", "α").Replace(text)
}

// speakersNotes returns the notes on the scene, if they are switched on.
func (m *Model) speakersNotes() []string {
	if !m.noted {
		return nil
	}
	th := m.look.Theme
	return layout.Styled(th.Warn, " "+strings.ReplaceAll(ansi.Wordwrap(symbols(th, m.scenes[m.at].notes), m.width-2, ""),
		"\n", "\n "))
}

// header returns the chapter and the title.
func (m *Model) header() []string {
	s, th := m.scenes[m.at], m.look.Theme
	left := " " + th.StepCurrent.Render(" "+s.chapter+" ") + "  " + th.Title.Render(s.title)
	lines := []string{layout.Opposite(m.width, left, th.Muted.Render(fmt.Sprintf("%d/%d", m.at+1, len(m.scenes)))+" ")}
	if m.height >= roomy {
		lines = append(lines, th.Border.Render(strings.Repeat(string(th.Glyphs.Horizontal), m.width)))
	}
	return lines
}

// body returns the pictures of a page side by side, or the reason why there are none yet.
func (m *Model) body(p report.Page, width, height int) string {
	th := m.look.Theme
	switch {
	case m.failed():
		text := ansi.Wordwrap(fmt.Sprintf("%c this could not be computed: %v", th.Glyphs.Cross, m.failure), width-2, "")
		return layout.Fit(" "+strings.Join(layout.Styled(th.Bad, text), "\n "), width, height)
	case !m.ready() && m.seen.search != nil:
		now := m.seen.search
		text := fmt.Sprintf(" %d models, %s", now.Evaluations, report.Duration(now.Elapsed.Seconds()))
		if n := len(now.Curve); n > 0 {
			text += fmt.Sprintf(", best error %s", report.Error(now.Curve[n-1].Error, 4))
		}
		return layout.Fit(" "+plot.Progress(now.Done, max(8, width/4), th)+th.Value.Render(text)+"\n"+
			chart.Figure(m.look, course(now, 1), width, height-1), width, height)
	case !m.ready():
		return layout.Fit("\n"+m.waiting(width), width, height)
	}
	return layout.Fit(m.picture.Get(m.look, width, height, []any{m.at, m.frame()}, func() string {
		for _, f := range p.Figures {
			for i := range f.Curves {
				f.Curves[i].Name = symbols(th, f.Curves[i].Name)
			}
		}
		var blocks []layout.Block
		for _, picture := range chart.Pictures(m.look, p, false) {
			blocks = append(blocks, func(width, height int) string {
				const around = 2 // title and scale of a map
				if picture.Map {
					height = min(height, width/2+around)
				}
				return picture.Draw(width, height)
			})
		}
		const least = 18 // cells of a picture; if not all fit, the first ones are dropped
		blocks = blocks[max(0, len(blocks)-width/least):]
		return layout.Tiles(width, height, len(blocks), blocks...)
	}), width, height)
}

// waiting describes the progress of the computation that a scene waits for.
func (m *Model) waiting(width int) string {
	th := m.look.Theme
	text := fmt.Sprintf(" computing %c", th.Glyphs.Ellipsis)
	if !m.seen.working {
		return th.Muted.Render(text)
	}
	p := m.seen.progress
	if p.Stage != engine.Idle {
		text = fmt.Sprintf(" %s %c", p.Stage, th.Glyphs.Ellipsis)
	}
	if p.Total > 0 {
		text = fmt.Sprintf(" %s, %d of %d %s", p.Stage, p.Done, p.Total, p.Unit)
	}
	return th.Muted.Render(text) + "\n " + plot.Progress(p.Fraction(), min(40, width-2), th)
}

// footer returns a mark for each scene, the progress of the current one, the pace, and the keys.
func (m *Model) footer() []string {
	th := m.look.Theme
	var marks strings.Builder
	for i := range m.scenes {
		switch {
		case i < m.at:
			marks.WriteString(th.StepDone.Render(string(th.Glyphs.Done)))
		case i == m.at:
			marks.WriteString(th.Title.Render(string(th.Glyphs.Current)))
		default:
			marks.WriteString(th.StepTodo.Render(string(th.Glyphs.Todo)))
		}
	}
	state := ""
	if m.paused {
		state = th.Warn.Render("paused")
	}
	const bar = 16
	scene := plot.Progress(m.elapsed/m.scenes[m.at].seconds, bar, th)
	keys := ""
	for _, key := range [][2]string{{"space", map[bool]string{true: "resume", false: "pause"}[m.paused]},
		{"left/right", "scene"}, {"s", "notes"}, {"q", "quit"}} {
		keys += " " + th.Key.Render(key[0]) + " " + th.Desc.Render(key[1]) + " "
	}
	return []string{layout.Opposite(m.width, " "+marks.String()+"  "+scene, state+" "), layout.Cut(keys, m.width)}
}
