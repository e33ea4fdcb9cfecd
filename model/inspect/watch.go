package inspect

import (
	"rfm/model/split"
	"rfm/model/store"
)

// Watched is how far a run is, whoever computes it.
type Watched struct {
	store.Entry
	Split *split.Progress // nil unless many workers share it
}

// Watch looks at the run in the directory path. It takes no lock and writes nothing. Errors are *fault.Data, and
// those of split.Plan.Progress.
func Watch(path string) (Watched, error) {
	w := Watched{Entry: store.NewEntry(path)}
	if w.Fault != nil || w.Manifest.Complete() || !split.Exists(path) {
		return w, w.Fault
	}
	plan, err := split.Read(path)
	if err != nil {
		return w, err
	}
	p, err := plan.Progress(path)
	w.Split = &p
	return w, err
}
