package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rfm/solver/fault"
)

// drawn is the measured values of one draw of data and features.
type drawn struct {
	Values    []value `json:"values"`
	Variation float64 `json:"variation,omitempty"` // of single test errors; first draw only
}

// draft stores draws until the result of their study is stored: NAME-draw-1.json and so on. The zero draft stores
// nothing.
type draft struct {
	directory *Directory
	study     string
	key       string // identifies the inputs of the draws
	kept      int    // number of stored draws
}

func (d *draft) name(draw int) string { return fmt.Sprintf("%s-draw-%d.json", d.study, draw+1) }

// load returns a stored draw.
func (d *draft) load(draw int) (drawn, bool) {
	if d.directory == nil {
		return drawn{}, false
	}
	kept, ok := load[drawn](d.directory, d.name(draw), d.key)
	if ok = ok && len(kept.Values) > 0; ok {
		d.kept++
	}
	return kept, ok
}

// keep stores a draw. The error is a *fault.Data.
func (d *draft) keep(draw int, values drawn) error {
	if d.directory == nil {
		return nil
	}
	d.kept++
	return save(d.directory, d.name(draw), d.key, values)
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
