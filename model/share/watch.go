package share

import "rfm/model/store"

// Watched is how far a run is, whoever computes it.
type Watched struct {
	store.Entry
	Split *Progress // nil unless many workers share it
}

// Watch looks at the run in the directory path. It takes no lock and writes nothing. Errors are *fault.Data, and
// those of Plan.Progress.
func Watch(path string) (Watched, error) {
	w := Watched{Entry: store.NewEntry(path)}
	if w.Fault != nil || w.Manifest.Complete() || !Planned(path) {
		return w, w.Fault
	}
	plan, err := ReadPlan(path)
	if err != nil {
		return w, err
	}
	p, err := plan.Progress(path)
	w.Split = &p
	return w, err
}
