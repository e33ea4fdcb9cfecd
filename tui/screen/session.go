// This file is what the screens share, and the experiment in words.

package screen

import (
	"fmt"

	"rfm/config"
	"rfm/model/experiment"
)

// session is what the screens share. Only the root's Update changes it.
type session struct {
	options Options
	look
	width      int                    // cells of the body of a screen
	height     int                    // lines of the body when there is no message
	config     config.Config          // as edited
	base       config.Config          // as the preset or file has it
	source     string                 // name of that preset; empty for another source
	experiment *experiment.Experiment // the one that is computed or shown; nil before the first
	reached    step                   // last step of experiment that is complete; configuring if none is
	job        *job                   // what computes; nil if nothing does
	failure    error                  // how the last job ended, if not well
	stored     string                 // directory of the stored run
	rates      *experiment.Rates      // speed of this machine, once measured
}

// Epilogue is what remains to be said on the normal screen after the interface has been left: the result and where it
// is stored, or nothing.
func (m *Model) Epilogue() string {
	s := &m.session
	if s.experiment == nil || s.reached < evaluating {
		return ""
	}
	e := s.experiment
	text := fmt.Sprintf("%s: expected relative test error %.6f, seed %d", describe(e.Config), e.Evaluation().Test.ExpectedRelative, e.Config.Seed)
	if s.stored != "" {
		text += "\nstored in " + s.stored
	}
	return text
}
