package shell

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/report"
)

// export writes tables and numbers as CSV, figures and fields as SVG. The files go to the directory of the run, or to
// the working directory if there is none.
func (m *Model) export() tea.Cmd {
	directory := m.session.Runner.Stored()
	r := m.visible.Page()
	r.Name = cmp.Or(r.Name, m.visible.Name())
	if m.theme.Log { // as on the screen
		r.Figures = slices.Clone(r.Figures)
		for i, f := range r.Figures {
			r.Figures[i] = f.Toggled()
		}
	}
	if len(r.Tables)+len(r.Figures)+len(r.Fields) == 0 {
		m.session.Complain("there is nothing to write yet")
		return nil
	}
	return func() tea.Msg {
		paths, err := saved(directory, r)
		return exported{paths, err}
	}
}

// tellExported names the files that were written: the first one in full, and the ends of the others.
func (m *Model) tellExported(e exported) {
	if e.err != nil {
		m.session.Complain(e.err.Error())
		return
	}
	text := "wrote " + e.paths[0]
	for _, path := range e.paths[1:] {
		text += " " + filepath.Ext(path)
	}
	m.session.Say(text)
}

// saved writes screen-NAME.csv and, if the page has figures or fields, screen-NAME.svg. NAME is the page's name,
// with a number if it is taken: nothing is overwritten. Errors are *fault.Data.
func saved(directory string, r report.Page) (paths []string, err error) {
	taken := func(extension string) bool {
		_, err := os.Lstat(filepath.Join(directory, r.Name+extension))
		return err == nil
	}
	base := "screen-" + r.Name
	r.Name = base
	for number := 2; taken(".csv") || taken(".svg"); number++ {
		r.Name = fmt.Sprintf("%s-%d", base, number)
	}
	return r.Save(directory, "or start rfm in a directory that can be written")
}
