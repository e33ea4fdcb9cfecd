// This file draws what surrounds every screen: the header, messages and the footer.

package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/layout"
)

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.WindowTitle = "rfm"
	if m.session.options.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (m *Model) content() string { return m.session.Theme.Text(m.wholeContent()) }

// wholeContent is the screen with the ellipses of Unicode.
func (m *Model) wholeContent() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.width < MinWidth || m.height < MinHeight {
		text := fmt.Sprintf("rfm needs a terminal of at least %dx%d, this one has %dx%d", MinWidth, MinHeight, m.width, m.height)
		return layout.Fit(ansi.Wrap(text, m.width, ""), m.width, m.height)
	}
	height := m.bodyHeight() - m.messageLines()
	if m.help {
		height = m.bodyHeight()
		return m.header() + "\n" + layout.Fit(m.helpPage(m.width, height), m.width, height) + "\n" + m.helpFooter()
	}
	body := layout.Fit(m.views[m.visible].render(&m.session, m.width, height), m.width, height)
	if message := m.message(); message != "" {
		body += "\n" + message
	}
	return m.header() + "\n" + layout.Fit(body, m.width, m.bodyHeight()) + "\n" + m.footer()
}

// headerLines is the height of the header: the steps, and a rule if the terminal is high enough for decoration.
func (m *Model) headerLines() int {
	const roomy = 20
	if m.height < roomy {
		return 1
	}
	return 2
}

// footerLines is the height of the footer.
const footerLines = 1

// bodyHeight is what header and footer leave to a screen.
func (m *Model) bodyHeight() int { return m.height - m.headerLines() - footerLines }

// messageLines is the height of the message.
func (m *Model) messageLines() int {
	if message := m.message(); message != "" {
		return lipgloss.Height(message)
	}
	return 0
}

// marking is how the header marks the steps.
type marking int

const (
	apart     marking = iota // a mark, a space, the step
	tight                    // no space
	onlyWhere                // a mark before the current one only
	onlyName                 // of the current one, the others are numbers
)

// headerSteps names the steps, the current one marked.
func (m *Model) headerSteps(marks marking) []string {
	s, th := &m.session, m.session.Theme
	space := " "
	if marks != apart {
		space = ""
	}
	var parts []string
	for i := range screens {
		label := fmt.Sprintf("%d %s", i+1, stepNames[i])
		if marks == onlyName && i != m.visible {
			label = fmt.Sprint(i + 1)
		}
		done := s.experiment != nil && s.asked == s.config && i <= s.reached && i > configuring && i < steps
		switch {
		case i == m.visible:
			parts = append(parts, th.StepCurrent.Render(string(th.Glyphs.Current)+space+label))
		case i >= steps || marks >= onlyWhere: // no step on the way
			parts = append(parts, th.StepTodo.Render(label))
		case done || i == configuring && s.reached > configuring:
			parts = append(parts, th.StepDone.Render(string(th.Glyphs.Done)+space+label))
		default:
			parts = append(parts, th.StepTodo.Render(string(th.Glyphs.Todo)+space+label))
		}
	}
	return parts
}

// header is the steps and the experiment.
func (m *Model) header() string {
	th := m.session.Theme
	line, _, _ := m.headerLine()
	if m.headerLines() == 1 {
		return line
	}
	return line + "\n" + th.Border.Render(strings.Repeat(string(th.Glyphs.Horizontal), m.width))
}

// headerLine is the steps and as much of the experiment's description as there is room for, whole or short; the steps
// and the gap between two of them.
func (m *Model) headerLine() (line string, parts []string, gap int) {
	s, th := &m.session, m.session.Theme
	c := s.config
	if m.visible != configuring && m.visible != tuneStep {
		c = s.computed()
	}
	whole := formula.Describe(c)
	short := whole[len(c.Problem)+1:]
	warning := ""
	if s.storedNowhere() {
		warning = th.Warn.Render("not stored ")
	}
	for _, try := range []struct {
		marks marking
		gap   int
		name  string
	}{{apart, 2, whole}, {apart, 1, whole}, {apart, 1, short}, {tight, 1, short}, {apart, 2, ""}, {apart, 1, ""}, {tight, 1, ""}, {onlyWhere, 1, ""}, {onlyName, 1, ""}} {
		parts = m.headerSteps(try.marks)
		left, right := " "+strings.Join(parts, strings.Repeat(" ", try.gap)), warning+th.Muted.Render(try.name)+" "
		line, gap = layout.Opposite(m.width, left, right), try.gap
		if lipgloss.Width(left)+lipgloss.Width(right)+1 < m.width || try.marks == onlyWhere && warning == "" {
			break
		}
	}
	return line, parts, gap
}

// message is what has to be said now: a question, an error, a hint.
func (m *Model) message() string {
	s, th := &m.session, m.session.Theme
	switch {
	case m.asking && s.job == nil:
		return m.question("The configuration is changed and not saved. Press q again to leave, any other key to stay.")
	case m.asking:
		return m.question("A step is running. Press q again to cancel it and leave, any other key to stay.")
	case s.notice.text != "":
		return s.notice.lines(s, m.width, 4)
	case s.preparing != "":
		return layout.Cut(th.Muted.Render(fmt.Sprintf(" %s %c", s.preparing, th.Glyphs.Ellipsis)), m.width)
	case s.failure != nil:
		text := strings.ReplaceAll(s.failure.Error(), "\n", "; ")
		style, mark := th.Bad, th.Glyphs.Cross
		if isCancelled(s.failure) {
			style = th.Warn
			switch {
			case m.paused:
				mark, text = th.Glyphs.Todo, "paused; space goes on"
			case s.stored != "":
				text = "cancelled; what is done is stored, enter goes on"
			default:
				text = "cancelled; enter starts this step again"
			}
		}
		lines := strings.Split(ansi.Wrap(string(mark)+" "+text, m.width-2, ""), "\n")
		for i := range lines {
			lines[i] = " " + style.Render(lines[i])
		}
		return strings.Join(lines[:min(len(lines), 4)], "\n")
	}
	return ""
}

// question is a text that is shown whole, whatever the width.
func (m *Model) question(text string) string {
	return " " + strings.Join(styled(m.session.Theme.Warn, ansi.Wordwrap(text, m.width-2, "")), "\n ")
}

// footer shows the keys that are valid now, as many as fit; cancel, help and quit always do.
func (m *Model) footer() string {
	type item struct{ show, desc string }
	var items, always []item
	for _, action := range m.actions() {
		b := keys.Of(action)
		switch {
		case action >= keys.NextStep && action <= keys.Step6: // the header shows the digits
			continue
		case action == keys.Help && m.takesText():
			always = append(always, item{"f1", b.Desc})
			continue
		case action == keys.Help || action == keys.Quit || action == keys.Cancel || action == keys.Kill:
			always = append(always, item{b.Show, b.Desc})
			continue
		}
		next := item{b.Show, m.means(action)}
		if last := len(items) - 1; last >= 0 && items[last].desc == next.desc {
			items[last].show += "/" + next.show
		} else {
			items = append(items, next)
		}
	}
	draw := func(i item) string { return m.footerItem(i.show, i.desc) }
	end := ""
	for _, i := range always {
		end += draw(i)
	}
	line := ""
	for _, i := range items {
		if text := draw(i); lipgloss.Width(line)+lipgloss.Width(text)+lipgloss.Width(end) <= m.width {
			line += text
		}
	}
	return line + end
}

// footerItem is a key of the footer and what it does.
func (m *Model) footerItem(show, desc string) string {
	th := m.session.Theme
	return " " + th.Key.Render(show) + " " + th.Desc.Render(desc) + " "
}

// means is what an action does now, in a word or two.
func (m *Model) means(action keys.Action) string {
	switch {
	case action == keys.Accept:
		return m.acceptDesc()
	case action == keys.Pause && m.paused:
		return "go on"
	}
	if text := m.views[m.visible].means(&m.session, action); text != "" {
		return text
	}
	return keys.Of(action).Desc
}

// acceptDesc says what the enter key does now.
func (m *Model) acceptDesc() string {
	s := &m.session
	switch {
	case m.visible == configuring && m.configure.accepts():
		return m.configure.acceptDesc(&m.session)
	case m.visible == paperStep:
		return "compute"
	case m.visible == tuneStep:
		return m.tuning.means(&m.session, keys.Accept)
	case m.visible == evaluating && m.evaluate.means(&m.session, keys.Accept) != "":
		return m.evaluate.means(&m.session, keys.Accept)
	case m.next() == generating && s.config.Validate() != nil:
		return "correct"
	case m.next() < steps:
		return stepNames[m.next()]
	}
	return "next step"
}
