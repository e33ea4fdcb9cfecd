// This file keeps the draws of a study that are done, so that an interrupted reproduction goes on after the last of
// them.

package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// drawn is what one draw of data and features gives.
type drawn struct {
	Values    []value `json:"values"`
	Variation float64 `json:"variation,omitempty"` // of single test errors; of the first draw alone
}

// draft is the place of draws until the result of their study is stored: NAME-draw-1.json and so on. The zero draft
// keeps nothing.
type draft struct {
	directory *Directory
	study     string
	key       string // what they are computed from
	kept      int    // draws that are there
}

func (d *draft) name(draw int) string { return fmt.Sprintf("%s-draw-%d.json", d.study, draw+1) }

// keptDraw is the content of a file.
type keptDraw struct {
	Key   string `json:"key"`
	Drawn drawn  `json:"drawn"`
}

// load is a draw that was kept. Whatever else is at its place counts as missing, and will be replaced.
func (d *draft) load(draw int) (drawn, bool) {
	if d.directory == nil {
		return drawn{}, false
	}
	const limit = 1 << 24 // bytes; some hundred numbers have less than 20 kB
	text, err := files.ReadFile(d.directory.file(d.name(draw)), limit)
	if err != nil {
		return drawn{}, false
	}
	var k keptDraw
	if err := json.Unmarshal(text, &k); err != nil || k.Key != d.key || len(k.Drawn.Values) == 0 {
		return drawn{}, false
	}
	d.kept++
	return k.Drawn, true
}

// keep stores a draw. The error is a *fault.Data.
func (d *draft) keep(draw int, values drawn) error {
	if d.directory == nil {
		return nil
	}
	text, err := json.Marshal(keptDraw{d.key, values})
	if err != nil {
		return &fault.Data{Where: d.directory.Path, What: d.name(draw) + " has no JSON form", Err: err}
	}
	d.kept++
	return d.directory.Write(d.name(draw), text)
}

// remove removes the draws, once the result of the study is stored. The error is a *fault.Data.
func (d *draft) remove() error {
	for draw := range d.kept {
		if err := os.Remove(d.directory.file(d.name(draw))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fault.Data{Where: d.directory.file(d.name(draw)), What: "cannot be removed", Err: err}
		}
	}
	return nil
}
