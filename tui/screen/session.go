// This file is what the screens share.

package screen

import (
	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/tui/look"
)

// session is what the screens share. Only the root's Update changes it.
type session struct {
	options Options
	look.Look
	width      int                    // cells of the body of a screen
	height     int                    // lines of the body, without those of a message
	config     config.Config          // as edited
	base       config.Config          // as the preset or file has it
	source     string                 // name of that preset; empty for another source
	file       string                 // name of that file; empty for another source
	experiment *engine.Experiment     // the one that is computed or shown; nil before the first
	asked      config.Config          // what experiment was made for; its own configuration has absolute names of files
	reached    step                   // last step of experiment that is complete; configuring if none is
	seen       [steps]engine.Progress // last look at the progress of each step
	job        *job                   // what computes; nil if nothing does
	preparing  string                 // why nothing can be started for the moment; empty if something can
	runs       storedRuns             // as far as they are known
	failed     bool                   // the experiment has ended with an error that trying again does not mend
	failure    error                  // how the last job ended, if not well
	notice     notice                 // what came of the last key, until the next one
	stored     string                 // directory of the stored run
	unstored   config.Config          // the next run of it is not stored: its place could not be written
	rates      *machine.Rates         // speed of this machine, once measured
	kept       keptSearch             // a search that was interrupted, of earlier
}

// look takes a new look at the step of the experiment that runs, or has run last.
func (s *session) look() {
	if s.experiment == nil {
		return
	}
	now := s.experiment.Progress()
	which := stepOf[now.Stage]
	if which == configuring {
		return
	}
	if now.Validation == nil {
		now.Validation = s.seen[which].Validation // it belongs to the sums, not to their solution
	}
	if before := s.seen[which]; which == generating && s.experiment.Reused() {
		now.Inputs, now.Outputs, now.Spectrum, now.Expected = before.Inputs, before.Outputs, before.Spectrum, before.Expected
	}
	s.seen[which] = now
}

// progress is the last look at a step of the experiment.
func (s *session) progress(which step) engine.Progress { return s.seen[which] }

// storedNowhere says whether the experiment, or the one that starts next, is not stored although it was to be.
func (s *session) storedNowhere() bool {
	return s.options.Runs != "" && (s.unstored == s.config || s.experiment != nil && s.stored == "")
}

// computed is the configuration of the experiment, that to come if there is none yet.
func (s *session) computed() config.Config {
	if s.experiment == nil {
		return s.config
	}
	return s.experiment.Config
}
