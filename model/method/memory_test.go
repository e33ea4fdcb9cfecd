package method

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// heldBy returns the growth of the heap to its largest size during work.
func heldBy(t *testing.T, work func() error) float64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, most, done := stats.HeapAlloc, uint64(0), make(chan struct{})
	var end atomic.Bool
	go func() {
		defer close(done)
		for !end.Load() {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
			time.Sleep(time.Millisecond)
		}
	}()
	err := work()
	end.Store(true)
	<-done
	if err != nil {
		t.Fatal(err)
	}
	return float64(most - before)
}

// Kernels take the memory that Method.Bytes returns, with symmetries and without.
func TestKernelsTakeTheMemoryTheySay(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const n = 768
	o := Options{Workers: 2}
	check := func(name string, said, took float64) {
		t.Helper()
		t.Logf("%s: said %.1f MB, took %.1f MB", name, said/1e6, took/1e6)
		if took > 1.15*said || took < said/1.5 { // garbage counts, and a short peak may be missed
			t.Errorf("%s: said %.1f MB, took %.1f MB", name, said/1e6, took/1e6)
		}
	}
	for symmetry, group := range map[string]int{"none": noMotion, "square": wholeSquare} {
		o := o
		o.Symmetry = symmetry
		pairs := rough(grid.Square, 9, n)
		took := heldBy(t, func() error {
			p, err := newKernelProblem(pairs, newFrequencies)
			if err != nil {
				return err
			}
			if group > noMotion {
				p.addImages(pairs.Inputs)
			}
			_, err = p.fit(t.Context(), Parameters{Modes: len(p.inputs.variances), Cutoff: 2, Decay: 1, Length: 1, Ridge: 1e-6,
				Symmetry: group}, o.Workers)
			return err
		})
		check("kernel, "+symmetry, kernelMethod.Bytes(pairs, o), took)
	}
	pairs := rough(grid.Torus, 17, n)
	took := heldBy(t, func() error {
		p, err := newCirculant(pairs)
		if err != nil {
			return err
		}
		s := Shape{Cutoff: 2, Decay: 1, Length: 0.5, Ridge: 1e-6, Reflection: 1}
		_, err = p.fit(t.Context(), s, o.Workers)
		return err
	})
	check("equivariant kernel", equivariantMethod.Bytes(pairs, o), took)
}
