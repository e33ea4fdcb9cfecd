// Measurements of performance.md: `go test ./tui/screen -run xxx -bench Interface -benchtime 20x`, on an otherwise idle
// machine.

package screen

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"rfm/tui/tuitest"
)

// The time from the beginning of the program, without the start of its process, to its first frame.
func BenchmarkInterfaceFirstFrame(b *testing.B) {
	for b.Loop() {
		_, w, stop := startProgram(b, Options{Config: tuitest.Tiny(b), Workers: 1}.model(), 80, 24)
		w.appears("configure", true)
		b.StopTimer()
		stop()
		b.StartTimer()
	}
}

// The time from a key to its effect on the screen, while all cores generate pairs.
func BenchmarkInterfaceKey(b *testing.B) {
	workers := runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers + 1)) // as the command does
	busy := Options{Config: tuitest.Tiny(b, "data.test=20000", "data.grid=1025"), Workers: workers}
	p, w, stop := startProgram(b, busy.model(), 120, 40)
	defer stop()
	w.appears("an input a", true)
	p.Send(keyPress("ctrl+r"))
	w.appears("newest pair", true)
	var took []time.Duration
	for b.Loop() {
		p.Send(keyPress("?"))
		took = append(took, w.appears("esc back", true))
		p.Send(keyPress("?"))
		took = append(took, w.appears("esc back", false))
	}
	slices.Sort(took)
	quantile := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1e3 }
	b.ReportMetric(quantile(0.5), "ms-median")
	b.ReportMetric(quantile(0.95), "ms-p95")
}

// The share of a core that is used, and the bytes that are written, while nobody does anything.
func BenchmarkInterfaceIdle(b *testing.B) {
	_, w, stop := startProgram(b, Options{Config: tuitest.Tiny(b), Workers: 1}.model(), 120, 40)
	defer stop()
	w.appears("an input a", true)
	time.Sleep(time.Second) // pictures and rates are made
	used := func() float64 {
		runtime.GC() // brings the numbers up to date
		list := []metrics.Sample{{Name: "/cpu/classes/user:cpu-seconds"}, {Name: "/cpu/classes/scavenge/total:cpu-seconds"}}
		metrics.Read(list)
		return list[0].Value.Float64() + list[1].Value.Float64()
	}
	before, bytes, begin := used(), w.written.Load(), time.Now()
	for b.Loop() {
		time.Sleep(time.Second)
	}
	b.ReportMetric(100*(used()-before)/time.Since(begin).Seconds(), "%-of-a-core")
	b.ReportMetric(float64(w.written.Load()-bytes)/time.Since(begin).Seconds(), "B/s")
}

// The time from the last key of an equation to its solution, for presets on 257 points and on 65 x 65, periodic,
// between sides and steady.
func BenchmarkInterfaceEquation(b *testing.B) {
	for _, name := range []string{"equation", "kdv", "fitzhugh-nagumo", "kolmogorov-flow", "heat-rod", "fisher-front", "burgers-held",
		"reaction-source", "beam", "poisson", "helmholtz", "poisson-nonlinear", "reaction-diffusion-2d", "gray-scott-noflux-2d"} {
		b.Run(name, func(b *testing.B) {
			c := tuitest.Of(b, name)
			p, w, stop := startProgram(b, Options{Config: c, Workers: 1}.model(), 120, 40)
			defer stop()
			title := map[int]string{1: "(x, t)", 2: " at time "}[c.Dims()]
			if c.Equation.Steady() {
				title = map[int]string{1: "u(x)", 2: "u(x, y)"}[c.Dims()]
			}
			w.appears(title, true)
			for _, key := range []string{"down", "down", "enter", "home"} {
				p.Send(keyPress(key))
			}
			var took []time.Duration
			for b.Loop() {
				p.Send(keyPress("*")) // wrong: the last solution stays
				w.appears("before: ", true)
				p.Send(keyPress("backspace"))
				took = append(took, w.appears("before: ", false))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "ms-median")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1e3, "ms-most")
		})
	}
}
