// This file defines the state of a search, from which it can be resumed.

package tune

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"rfm/config"
	"rfm/solver/fault"
)

// Stage is the purpose of evaluations.
type Stage int

// The stages, in their order.
const (
	Start      Stage = iota // the initial configuration
	Explore                 // random parameters for every activation
	Compete                 // descent with the best few activations
	Converge                // descent with the best two
	Confirm                 // descent with more features
	Rescore                 // the best few on fresh draws and other splits
	stageCount = iota
)

// String returns the stage in a word.
func (s Stage) String() string {
	return [...]string{"start", "explore", "compete", "converge", "confirm", "rescore"}[s]
}

// An Evaluation is one model that was trained and validated.
type Evaluation struct {
	Stage    Stage     `json:"stage"`
	Place    *Place    `json:"place,omitempty"`   // nil: the initial configuration, unchanged
	Features int       `json:"features"`          // m
	Draw     int       `json:"draw"`              // number of the draw and split; 0 for the search
	Error    float64   `json:"error"`             // mean relative L2 error on the pairs that were left out, at most 1
	Relative float64   `json:"relative"`          // lambda of that error, relative to the largest eigenvalue
	Errors   []float64 `json:"errors,omitempty"`  // Rescore: for every lambda tried
	Failure  string    `json:"failure,omitempty"` // the reason if no model exists
}

// A Place is a point of the search space.
type Place struct {
	Choices     map[string]string `json:"choices"`     // by configuration key
	Coordinates []float64         `json:"coordinates"` // in [0, 1], a dimension each
}

// stateVersion is raised whenever an old state would not lead to the same search.
const stateVersion = 2

// State holds all evaluations of a search. With the same pairs, a search resumed from it continues as if it had never
// been stopped.
type State struct {
	Version     int          `json:"version"`
	Config      string       `json:"config"` // the initial configuration, as TOML
	Seed        uint64       `json:"seed"`
	Pairs       int          `json:"pairs"`   // number of training pairs
	Seconds     float64      `json:"seconds"` // spent so far
	Evaluations []Evaluation `json:"evaluations"`
}

// Encode returns the state as JSON.
func (s State) Encode() []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic("tune: " + err.Error()) // numbers are finite
	}
	return append(text, '\n')
}

// decodeState reads the output of Encode. where names it in errors, which are *fault.Data.
func decodeState(where string, text []byte) (State, error) {
	var s State
	if err := json.Unmarshal(text, &s); err != nil {
		return State{}, &fault.Data{Where: where, What: "is not the state of a search", Err: err}
	}
	if s.Version != stateVersion {
		return State{}, &fault.Data{Where: where, What: fmt.Sprintf("is of version %d, this program reads version %d",
			s.Version, stateVersion), Do: "start the search again"}
	}
	c, err := config.Parse([]byte(s.Config))
	if err != nil {
		return State{}, &fault.Data{Where: where, What: "holds a wrong configuration", Err: err}
	}
	space := newSpace(c)
	for i, e := range s.Evaluations {
		if e.Stage < Start || e.Stage >= stageCount || e.Place == nil && e.Stage != Start && e.Stage != Rescore ||
			e.Place != nil && !space.contains(*e.Place) {
			return State{}, &fault.Data{Where: where, What: fmt.Sprintf("evaluation %d is not of this search", i),
				Do: "start the search again"}
		}
	}
	return s, nil
}

// same reports whether two places are equal, to the last bit.
func (p *Place) same(q *Place) bool {
	if p == nil || q == nil {
		return p == q
	}
	return maps.Equal(p.Choices, q.Choices) && slices.Equal(p.Coordinates, q.Coordinates)
}
