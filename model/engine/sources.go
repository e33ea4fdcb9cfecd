package engine

import (
	"context"
	"slices"

	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// readFiles is like read, but for a stored experiment it records stamps of the files. The error is a *fault.Data if a
// file differs from the stamp of an earlier session, or changes meanwhile.
func (e *Experiment) readFiles(ctx context.Context, sides []side) error {
	if e.store == nil {
		_, err := e.read(ctx, sides)
		return err
	}
	sources := e.store.Manifest().Sources
	unchanged := func(s store.Source) error {
		if how := s.Differs(s.Name); how != "" {
			return &fault.Data{Where: s.Name, What: how + "; this run began to read it before",
				Do: "restore the file, or begin another run"}
		}
		return nil
	}
	for _, s := range sides {
		if s.file == "" || s.whole {
			continue
		}
		at := slices.IndexFunc(sources, func(known store.Source) bool { return known.Name == s.file })
		if at >= 0 {
			if err := unchanged(sources[at]); err != nil {
				return err
			}
			continue
		}
		stamp, err := files.TakeStamp(s.file)
		if err != nil {
			return fault.Unread(s.file, err)
		}
		sources = append(sources, store.Source{Name: s.file, Stamp: stamp})
	}
	read, err := e.read(ctx, sides)
	if err != nil || !read {
		return err
	}
	for _, s := range sources {
		if err := unchanged(s); err != nil {
			return err
		}
	}
	return e.store.Put(func(m *store.Manifest) { m.Sources = sources })
}
