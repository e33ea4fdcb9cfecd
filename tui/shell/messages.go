package shell

// The messages of the shell itself; those of a session are in tui/session/messages.go, and each screen has its own file of
// them. Keys, sizes and pastes are messages of Bubble Tea.
type (
	// opened says that the first frame is on the terminal.
	opened struct{}

	// exported is the outcome of writing what is on the screen.
	exported struct {
		paths []string
		err   error
	}

	// panicked is a panic of work in the background, as an error.
	panicked struct{ err error }
)
