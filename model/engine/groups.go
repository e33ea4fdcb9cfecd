package engine

import (
	"encoding/json"
	"fmt"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// groupsFile contains the groups of the training pairs of a run. Runs with independent pairs do not have it.
const groupsFile = "groups.json"

// labelled is the content of GroupsFile.
type labelled struct {
	Sentence string `json:"sentence"` // a description of the groups
	Labels   []int  `json:"labels"`   // see dataset.Pairs.Groups
}

// groups returns the product with the groups of the training pairs.
func (e *Experiment) groups() (files.File, error) {
	text, err := json.Marshal(labelled{e.grouped, e.train.Groups})
	if err != nil {
		return files.File{}, &fault.Data{Where: e.store.File(groupsFile), What: "has no JSON form", Err: err}
	}
	return files.Text(groupsFile, append(text, '\n')), nil
}

// readGroups reads the stored groups into the training pairs.
func (e *Experiment) readGroups() error {
	m := e.store.Manifest()
	if _, ok := m.File(groupsFile); !ok {
		return nil
	}
	var g labelled
	if err := m.ReadJSON(e.store.Path(), groupsFile, &g); err != nil {
		return err
	}
	if len(g.Labels) != e.train.Count() {
		return &fault.Data{Where: e.store.File(groupsFile),
			What: fmt.Sprintf("has %d labels of %d training pairs", len(g.Labels), e.train.Count())}
	}
	e.train.Groups, e.grouped = g.Labels, g.Sentence
	return nil
}
