// This file draws what surrounds every screen: the header, messages and the footer.

package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/keys"
)

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.WindowTitle = "rfm"
	return v
}

func (m *Model) content() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.width < MinWidth || m.height < MinHeight {
		return fit(fmt.Sprintf("rfm needs a terminal of at least %dx%d, this one has %dx%d", MinWidth, MinHeight, m.width, m.height), m.width, m.height)
	}
	height := m.bodyHeight()
	var body string
	if m.help {
		body = m.helpPage(m.width, height)
	} else {
		message := m.message()
		if message != "" {
			height -= lipgloss.Height(message)
		}
		body = fit(m.views[m.visible].render(&m.session, m.width, height), m.width, height)
		if message != "" {
			body += "\n" + message
		}
	}
	return m.header() + "\n" + fit(body, m.width, m.bodyHeight()) + "\n" + m.footer()
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

// header names the steps, the current one marked, and the experiment.
func (m *Model) header() string {
	s, th := &m.session, m.session.theme
	var parts []string
	for i := range screens {
		label := fmt.Sprintf("%d %s", i+1, stepNames[i])
		done := s.experiment != nil && s.experiment.Config == s.config && i <= s.reached && i > configuring && i < steps
		switch {
		case i == paperStep && i != m.visible: // no step on the way
			parts = append(parts, th.StepTodo.Render(label))
		case i == m.visible:
			parts = append(parts, th.StepCurrent.Render(string(th.Glyphs.Current)+" "+label))
		case done || i == configuring && s.reached > configuring:
			parts = append(parts, th.StepDone.Render(string(th.Glyphs.Done)+" "+label))
		default:
			parts = append(parts, th.StepTodo.Render(string(th.Glyphs.Todo)+" "+label))
		}
	}
	c := s.config
	if m.visible != configuring && s.experiment != nil {
		c = s.experiment.Config
	}
	line := m.headerLine(parts, describe(c), describe(c)[len(c.Problem)+1:])
	if m.headerLines() == 1 {
		return line
	}
	return line + "\n" + th.Border.Render(strings.Repeat(string(th.Glyphs.Horizontal), m.width))
}

// headerLine is the steps and as much of the experiment's description as there is room for, whole or short.
func (m *Model) headerLine(parts []string, whole, short string) string {
	th := m.session.theme
	line := ""
	for _, try := range []struct{ gap, name string }{{"  ", whole}, {" ", whole}, {" ", short}, {"  ", ""}, {" ", ""}} {
		left, right := " "+strings.Join(parts, try.gap), th.Muted.Render(try.name)+" "
		line = opposite(m.width, left, right)
		if lipgloss.Width(left)+lipgloss.Width(right)+1 < m.width {
			break
		}
	}
	return line
}

// message is what has to be said now: a question, an error, a hint.
func (m *Model) message() string {
	s, th := &m.session, m.session.theme
	switch {
	case m.asking:
		return ansi.Truncate(th.Warn.Render(" A step is running. Press q again to cancel it and leave, any other key to stay."), m.width, "")
	case s.failure != nil:
		text := strings.ReplaceAll(s.failure.Error(), "\n", "; ")
		style, mark := th.Bad, th.Glyphs.Cross
		if isCancelled(s.failure) {
			text, style = "cancelled; enter starts this step again", th.Warn
		}
		lines := strings.Split(ansi.Wrap(string(mark)+" "+text, m.width-2, ""), "\n")
		for i := range lines {
			lines[i] = " " + style.Render(lines[i])
		}
		return strings.Join(lines[:min(len(lines), 4)], "\n")
	}
	return ""
}

// footer shows the keys that are valid now, as many as fit; cancel, help and quit always do.
func (m *Model) footer() string {
	th := m.session.theme
	type item struct{ show, desc string }
	var items, always []item
	for _, action := range m.actions() {
		b := keys.Of(action)
		switch {
		case action >= keys.NextStep && action <= keys.Step5: // the header shows the digits
			continue
		case action == keys.Help || action == keys.Quit || action == keys.Cancel:
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
	draw := func(i item) string { return " " + th.Key.Render(i.show) + " " + th.Desc.Render(i.desc) + " " }
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

// means is what an action does now, in a word or two.
func (m *Model) means(action keys.Action) string {
	if action == keys.Accept {
		return m.acceptDesc()
	}
	if text := m.views[m.visible].means(&m.session, action); text != "" {
		return text
	}
	return keys.Of(action).Desc
}

// acceptDesc says what the enter key does now.
func (m *Model) acceptDesc() string {
	switch {
	case m.visible == configuring && m.configure.editing():
		return "keep"
	case m.visible == configuring && m.configure.acceptEdits():
		return "edit"
	case m.visible == paperStep:
		return "compute"
	case m.next() < steps:
		return stepNames[m.next()]
	}
	return "next step"
}
