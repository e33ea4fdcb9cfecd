package paper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rfm/model/show/report"
)

// reproduceTiny runs all tiny studies into a directory until stop returns true, and returns the computed names.
func reproduceTiny(t *testing.T, workers int, path string, stop func(done int) bool) (computed []string, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := 0
	var some []Study
	for _, s := range All() {
		if s.Problem != scalarProblem { // the bridge has one size, and separate tests
			some = append(some, s)
		}
	}
	err = tinySession(workers, path).Reproduce(ctx, some, func(r Result, stored bool) error {
		if !stored {
			computed = append(computed, r.Name)
		}
		if done++; stop(done) {
			cancel()
		}
		return nil
	})
	return computed, err
}

func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(path)
	noError(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(path, e.Name()))
		noError(t, err)
		files[e.Name()] = string(text)
	}
	return files
}

func TestInterruptedReproductionGoesOnAndGivesTheSameBytesForAnyNumberOfWorkers(t *testing.T) {
	whole, parts := t.TempDir(), t.TempDir()
	all, err := reproduceTiny(t, 1, whole, func(int) bool { return false })
	noError(t, err)
	const before = 12 // in the middle of the second problem, after its seeds
	first, err := reproduceTiny(t, 3, parts, func(done int) bool { return done == before })
	if !errors.Is(err, context.Canceled) || len(first) != before {
		t.Fatalf("computed %v, %v", first, err)
	}
	second, err := reproduceTiny(t, 2, parts, func(int) bool { return false })
	if err != nil || len(second) != len(all)-before {
		t.Fatalf("computed %v, %v", second, err)
	}
	want, got := contents(t, whole), contents(t, parts)
	for _, name := range all {
		pictured := !strings.HasSuffix(name, "seeds")
		if want[name+".json"] == "" || want[name+".csv"] == "" || pictured && want[name+".svg"] == "" {
			t.Errorf("%s has not all of its files", name)
		}
	}
	equalFiles(t, got, want)
}

// equalFiles fails unless two directories have the same files.
func equalFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d and %d files", len(want), len(got))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// An interruption within a study of several draws loses at most the current draw, and does not change the result.
func TestDrawsOfAnInterruptedStudyAreKept(t *testing.T) {
	var seeds Study
	for _, s := range All() {
		if s.Name == "burgers-seeds" {
			seeds = s
		}
	}
	whole, parts := t.TempDir(), t.TempDir()
	end := func(Result, bool) error { return nil }
	noError(t, tinySession(2, whole).Reproduce(t.Context(), []Study{seeds}, end))
	draws := tiny(seeds.Problem).draws
	for sitting := 1; sitting < draws; sitting++ {
		s, ctx := tinySession(1+sitting%3, parts), &untilDraw{Context: t.Context()}
		next := fmt.Sprintf("draw %d of", sitting+1)
		ctx.over = func() bool { _, p := s.Progress(); return strings.HasPrefix(p.Note, next) }
		err := s.Reproduce(ctx, []Study{seeds}, end)
		if kept := len(contents(t, parts)); !errors.Is(err, context.Canceled) || kept != 1+sitting {
			t.Fatalf("sitting %d: %v, %d files", sitting, err, kept)
		}
	}
	// is made again
	noError(t, os.WriteFile(filepath.Join(parts, "burgers-seeds-draw-1.json"), []byte("{"), 0o644))
	noError(t, tinySession(2, parts).Reproduce(t.Context(), []Study{seeds}, end))
	want, got := contents(t, whole), contents(t, parts)
	if len(want) != 1+3+draws {
		t.Errorf("%d files", len(want))
	}
	equalFiles(t, got, want)
}

// untilDraw is a context that ends once over returns true.
type untilDraw struct {
	context.Context
	over func() bool
}

func (c *untilDraw) Err() error {
	if c.over() {
		return context.Canceled
	}
	return c.Context.Err()
}

// A stored result is drawn as the computed one is: with its roles, ends of axes and scales.
func TestStoredResultIsTheComputedOne(t *testing.T) {
	s, study := tinySession(1, t.TempDir()), All()[0]
	sample := report.Sample{Side: 2, Input: []float64{1, 2, 3, 4}, Truth: []float64{1, 2, 3, 5},
		Prediction: []float64{1, 2, 3, 4}}
	r := Result{Page: report.Page{Name: study.Name, Fields: sample.Fields(), Figures: append(sample.Functions(),
		sample.Section()), Tables: []report.Table{{Header: []string{"a"}, Rows: [][]string{{"b"}}, Words: []int{1}}}}}
	noError(t, s.write(s.file(r, study)))
	if got, ok := s.load(study.Name, study); !ok || !reflect.DeepEqual(got, r) {
		t.Errorf("stored %+v, computed %+v", got, r)
	}
}

func TestDamagedResultIsComputedAgain(t *testing.T) {
	path, study := t.TempDir(), All()[0]
	r := Result{Page: report.Page{Name: study.Name, Notes: []string{"kept"}}}
	s := tinySession(1, path)
	noError(t, s.write(s.file(r, study)))
	if got, ok := tinySession(1, path).find(study); !ok || got.Notes[0] != "kept" {
		t.Fatalf("got %v, %v", got, ok)
	}
	if _, ok := NewSession(Options{Quick: true, Seed: tinySeed + 1, Directory: path}).find(study); ok {
		t.Error("took the result of another seed")
	}
	noError(t, os.WriteFile(filepath.Join(path, study.Name+".json"), []byte("{"), 0o644))
	if _, ok := tinySession(1, path).find(study); ok {
		t.Error("took a damaged result")
	}
}

// Progress counts the studies that were found as done before, so that the time left is that of the others.
func TestFoundStudiesTakeNoTime(t *testing.T) {
	s, some := tinySession(1, ""), All()[:2]
	for _, study := range some {
		s.Keep(Result{Page: report.Page{Name: study.Name}})
	}
	err := s.Reproduce(t.Context(), some, func(_ Result, stored bool) error {
		if !stored {
			t.Error("a result of the session is computed again")
		}
		return nil
	})
	// one part for the bridges, two draws of Burgers' equation
	if whole, _ := s.Progress(); err != nil || whole.Done != 3 || whole.Before != 3 || whole.Total != 3 {
		t.Errorf("got %+v, %v, want all three units done, each before this session", whole, err)
	}
}
