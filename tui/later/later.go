// Package later is the contract between work in the background and the program.
package later

import tea "charm.land/bubbletea/v2"

// Then is the message that ends work in the background: the program calls it in Update. It checks whether its result is
// still wanted.
type Then func() tea.Cmd
