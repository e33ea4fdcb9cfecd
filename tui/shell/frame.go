package shell

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// usersShape leaves the cursor as the user has set it in the terminal. Bubble Tea numbers its shapes from 0 on, and sends a
// steady one of number n as style 2n+2 of the terminal, where 0 is the user's.
const usersShape tea.CursorShape = -1

// View draws the screen.
func (m *Model) View() tea.View {
	content, cursor, isTyped := layout.TakeCursor(m.wholeContent())
	v := tea.NewView(m.theme.Text(content))
	if isTyped {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Shape = usersShape
		v.Cursor.Blink = false
	}
	v.AltScreen = true
	v.WindowTitle, v.ProgressBar = m.progress()
	v.ReportFocus = true
	if m.pointed() != nil {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// wholeContent returns the screen with Unicode ellipses, and a mark where the cursor is.
func (m *Model) wholeContent() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if layout.TooSmall(m.width, m.height) {
		return layout.Fit(layout.Wrap(m.tooSmall(), m.width), m.width, m.height)
	}
	body := m.dialogs.View(m.canvas, m.visible.View)
	if message := m.message(); message != "" {
		free := m.bodyHeight() - lipgloss.Height(message)
		body = layout.Fit(body, m.width, min(free, m.canvas.Height)) + "\n" + message
	}
	parts := []string{
		m.header(),
		layout.Fit(body, m.width, m.bodyHeight()),
		m.footer(),
	}
	return strings.Join(parts, "\n")
}

// tooSmall is all that is shown on a terminal that is too small for anything else.
func (m *Model) tooSmall() string {
	const format = "rfm needs a terminal of at least %dx%d, this one has %dx%d; "
	text := fmt.Sprintf(format, layout.MinWidth, layout.MinHeight, m.width, m.height)
	if m.atStake() {
		return text + "ctrl+c stops everything and leaves"
	}
	return text + "q leaves"
}

// roomy is the height of a terminal with lines to spare.
const roomy = 20

// headerLines returns the height of the header: the steps, and a rule if the terminal is high enough.
func (m *Model) headerLines() int {
	if m.height < roomy {
		return 1
	}
	return 2
}

// bodyHeight returns the number of lines between header and footer.
func (m *Model) bodyHeight() int {
	return max(m.height, layout.MinHeight) - m.headerLines() - 1
}

// headerSteps returns the names of the screens behind their keys. It marks the current one and, unless the names are
// short, the complete parts of the experiment.
func (m *Model) headerSteps(short bool) []string {
	var parts []string
	for i, screen := range m.Screens {
		name := screen.Name()
		if name == session.TourPage {
			continue
		}
		key := i + 1
		label := fmt.Sprintf("%d %s", key, name)
		if short {
			name = strings.TrimSuffix(name, "igure")
			label = fmt.Sprintf("%d%s", key, name)
		}
		part := m.headerStep(screen, label, short)
		parts = append(parts, part)
	}
	return parts
}

// headerStep returns the name of a screen in the style of its state, behind its mark.
func (m *Model) headerStep(screen ui.Screen, label string, short bool) string {
	th := m.theme
	behind := func(mark rune) string { return string(mark) + " " + label }
	if screen == m.visible {
		text := behind(th.Glyphs.Current)
		return th.StepCurrent.Render(text)
	}
	stage, ofExperiment := session.LastOf(screen.Name())
	if short || !ofExperiment {
		return th.StepTodo.Render(label)
	}
	if m.isComplete(stage) {
		text := behind(th.Glyphs.Done)
		return th.StepDone.Render(text)
	}
	text := behind(th.Glyphs.Todo)
	return th.StepTodo.Render(text)
}

// isComplete reports whether the experiment of the configuration has passed a stage.
func (m *Model) isComplete(stage session.Stage) bool {
	r := m.session.Runner
	if r.Experiment() == nil || r.Reached() < stage {
		return false
	}
	return stage == session.None || r.Current()
}

// header returns the steps and the experiment.
func (m *Model) header() string {
	if m.headerLines() == 1 {
		return m.headerLine()
	}
	return m.headerLine() + "\n" + m.rule()
}

// rule returns the line below the steps, in which the progress of the screen and the test error stand.
func (m *Model) rule() string {
	th := m.theme
	line := func(cells int) string {
		horizontal := string(th.Glyphs.Horizontal)
		return th.Border.Render(strings.Repeat(horizontal, max(0, cells)))
	}
	var parts []string
	with, ok := m.visible.(ui.Ruled)
	if ok {
		parts = append(parts, with.Rule(th))
	}
	if m.visible.Name() != session.TourPage {
		parts = append(parts, m.tested(true))
	}
	text := ""
	for _, part := range parts {
		if part != "" {
			text += " " + part + " " + line(1)
		}
	}
	rest := m.width - lipgloss.Width(text)
	return line(rest) + text
}

// headerLine returns the steps and as much of the experiment's description as fits, whole or short.
func (m *Model) headerLine() string {
	th := m.theme
	if m.visible.Name() == session.TourPage {
		p := m.visible.Page()
		chapter := th.StepCurrent.Render(" " + p.Source + " ")
		title := th.Title.Render(p.Title)
		line := " " + chapter + "  " + title
		return layout.Cut(line, m.width)
	}
	c := m.session.Draft.Config()
	stage, _ := session.LastOf(m.visible.Name())
	if stage > session.None {
		c = m.session.Runner.Computed()
	}
	forms := []headerForm{
		{gap: 2, name: words.Describe(c)},
		{gap: 1, name: words.Sizes(c)},
		{gap: 1},
		{gap: 1, short: true},
	}
	line := ""
	for _, form := range forms {
		left, right := m.headerSides(form)
		line = layout.Opposite(m.width, left, right)
		if layout.HaveRoom(m.width, left, right) {
			break
		}
	}
	return line
}

// A headerForm is one of the forms of the header, from the longest to the shortest.
type headerForm struct {
	short bool   // the names of the steps are short
	gap   int    // cells between them
	name  string // of the experiment; empty for none
}

// headerSides returns the two ends of the header in a form: the steps, and the experiment with its error.
func (m *Model) headerSides(form headerForm) (left, right string) {
	gap := strings.Repeat(" ", form.gap)
	steps := m.headerSteps(form.short)
	left = " " + strings.Join(steps, gap)
	if m.headerLines() == 1 { // else the rule has the errors
		right = m.tested(!form.short)
	}
	if form.name == "" {
		return left, right
	}
	if right != "" {
		right += "  "
	}
	right += m.theme.Muted.Render(form.name) + " "
	return left, right
}

// tested describes the test error of this experiment; empty before the first. If previous is set, that of the experiment
// before follows, else an arrow shows the change.
func (m *Model) tested(previous bool) string {
	const digits = 4
	th := m.theme
	r := m.session.Runner
	now, before := r.Tested()
	isOfOther := m.visible.Name() == session.ConfigurePage && !r.Current()
	if now > 0 && isOfOther { // the form has another configuration than the model with this error
		before = now
		now = 0
	}
	text := ""
	if now > 0 {
		text = th.Value.Render("error " + report.Error(now, digits))
		v := r.Evaluation()
		isUseless := v != nil && v.Skill.Verdict() != ""
		if isUseless {
			text += " " + th.Warn.Render("learned nothing")
		}
	}
	if before == 0 {
		return text
	}
	earlier := report.Error(before, digits)
	style := th.Muted
	arrow := ""
	switch {
	case now == 0:
		return th.Muted.Render("before " + earlier)
	case now > before:
		style = th.Warn
		arrow = " " + string(th.Glyphs.Up)
	case now < before:
		style = th.Good
		arrow = " " + string(th.Glyphs.Down)
	}
	if previous {
		return text + style.Render(", was "+earlier)
	}
	return text + style.Render(arrow)
}

// message returns the notice of the last key, else a note on the state.
func (m *Model) message() string {
	r := m.session.Runner
	th := m.theme
	notice := m.session.Notice()
	state := r.State()
	switch {
	case notice.Text != "" && notice.Bad:
		return m.said(th.Bad, th.Glyphs.Cross, notice.Text)
	case notice.Text != "":
		return m.said(th.Good, th.Glyphs.Check, notice.Text)
	case r.Preparing():
		text := fmt.Sprintf("%s %c", r.Doing(), th.Glyphs.Ellipsis)
		return m.aside(th.Muted, text)
	case state == session.Cancelled && r.Stored() != "":
		return m.said(th.Warn, th.Glyphs.Cross, "cancelled; finished work is stored, ctrl+r resumes")
	case state == session.Cancelled:
		return m.said(th.Warn, th.Glyphs.Cross, "cancelled; ctrl+r starts again")
	case state == session.Failed:
		return m.said(th.Bad, th.Glyphs.Cross, r.Failure().Error())
	}
	stage, _ := session.LastOf(m.visible.Name())
	outdated := r.Outdated()
	if stage > session.None && outdated != "" {
		return m.aside(th.Warn, outdated)
	}
	with, hints := m.visible.(ui.Hinted)
	hasRoom := m.dialogs.Top() == nil && m.height >= roomy
	if !hints || !hasRoom {
		return ""
	}
	hint := with.Hint()
	if hint == "" {
		return ""
	}
	return m.aside(th.Muted, hint)
}

// aside returns a text in one line.
func (m *Model) aside(style lipgloss.Style, text string) string {
	line := " " + style.Render(text)
	return layout.Cut(line, m.width)
}

// said returns a text behind a mark, in a few lines.
func (m *Model) said(style lipgloss.Style, mark rune, text string) string {
	const most = 4
	text = strings.ReplaceAll(text, "\n", "; ")
	text = string(mark) + " " + text
	lines := layout.Paragraph(style, text, m.width)
	lines = layout.Head(lines, m.width-1, most)
	return strings.Join(lines, "\n")
}

// A footerItem is one or several keys with what they do.
type footerItem struct {
	keys string
	word string
}

// footer shows as many available keys as fit, always with cancel, help and quit. Keys that do the same share an item.
func (m *Model) footer() string {
	var items, always []footerItem
	seen := map[ui.Key]bool{}
	for _, c := range ui.Offers(m.Commands()) {
		if seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		next := footerItem{
			keys: m.keyName(c.Key),
			word: c.Word,
		}
		isSilent := c.Word == "" || c.Key == ui.KeyKill // the header shows the digits
		last := len(items) - 1
		switch {
		case isSilent || c.Why != "":
		case c.Key == ui.KeyHelp, c.Key == ui.KeyQuit, c.Key == ui.KeyCancel:
			always = append(always, next)
		case last >= 0 && items[last].word == next.word:
			items[last].keys += "/" + next.keys
		default:
			items = append(items, next)
		}
	}
	end := ""
	for _, i := range always {
		end += m.drawItem(i)
	}
	line := ""
	for _, i := range items {
		text := m.drawItem(i)
		whole := line + text + end
		if lipgloss.Width(whole) <= m.width {
			line += text
		}
	}
	return line + end
}

// drawItem returns an item of the footer between blanks.
func (m *Model) drawItem(i footerItem) string {
	key := m.theme.Key.Render(i.keys)
	word := m.theme.Desc.Render(i.word)
	return fmt.Sprintf(" %s %s ", key, word)
}

// keyName returns the name of a key in the footer, where arrows are signs if the terminal has them.
func (m *Model) keyName(key ui.Key) string {
	g := m.theme.Glyphs
	if !m.theme.ASCII {
		switch key {
		case ui.KeyUp:
			return string(g.Up)
		case ui.KeyDown:
			return string(g.Down)
		case ui.KeyLeft:
			return string(g.Left)
		case ui.KeyRight:
			return string(g.Right)
		}
	}
	return key.String()
}
