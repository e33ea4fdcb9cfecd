package shell

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/interchange"
	"rfm/model/report"
	"rfm/solver/fault"
	"rfm/tui/ui"
)

// export writes tables and numbers as CSV, figures and fields as SVG. The files go to the directory of the run, or to
// the working directory if there is none.
func (m *Model) export() tea.Cmd {
	directory, r := m.session.Stored(), m.visible.Exhibit(m.room())
	r.Name = cmp.Or(r.Name, m.visible.Name())
	if len(r.Tables)+len(r.Figures)+len(r.Fields) == 0 {
		m.session.Complain("there is nothing to write yet")
		return nil
	}
	return func() tea.Msg {
		paths, err := writeExhibit(directory, r)
		return ui.Now(func() {
			if err != nil {
				m.session.Complain(err.Error())
				return
			}
			text := "wrote " + paths[0] // in full, and the ends of the others
			for _, path := range paths[1:] {
				text += " " + filepath.Ext(path)
			}
			m.session.Say(text)
		})
	}
}

// writeExhibit writes screen-NAME.csv and, if the exhibit has figures or fields, screen-NAME.svg. NAME is the exhibit's
// name, with a number if it is taken: nothing is overwritten. After an error neither file exists. Errors are
// *fault.Data.
func writeExhibit(directory string, r report.Page) (paths []string, err error) {
	extensions, contents := []string{".csv"}, [][]byte{r.CSV()}
	picture, err := r.SVG()
	if err != nil {
		return nil, &fault.Data{Where: r.Name, What: "cannot be drawn", Err: err}
	}
	if picture != nil {
		extensions, contents = append(extensions, ".svg"), append(contents, picture)
	}
	base := filepath.Join(directory, "screen-"+r.Name)
	free := func(path string) bool {
		return !slices.ContainsFunc(extensions, func(e string) bool { _, err := os.Lstat(path + e); return err == nil })
	}
	path := base
	for number := 2; !free(path); number++ {
		path = fmt.Sprintf("%s-%d", base, number)
	}
	for i, content := range contents {
		paths = append(paths, path+extensions[i])
		if err := interchange.Save(paths[i], content,
			"free some space, or start rfm in a directory that can be written"); err != nil {
			for _, written := range paths[:i] {
				err = errors.Join(err, os.Remove(written))
			}
			return nil, err
		}
	}
	return paths, nil
}
