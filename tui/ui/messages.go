package ui

import tea "charm.land/bubbletea/v2"

// The messages of dialogs. Each names the line that it is about, which hears it while its dialog is open.
type (
	// suggested are the names of files that begin with a typed text.
	suggested struct {
		input *FileInput
		typed string
		names []string
		more  int // names that are not offered
	}

	// tried is the outcome of Line.Try.
	tried struct {
		line   *Line
		text   string
		accept func() tea.Cmd // what happens after success
		err    error
	}
)
