package engine

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
)

// Times of runs with the same problem and methods correct the forecast, stage by stage; other runs do not.
func TestStoredSecondsCorrectForecasts(t *testing.T) {
	rates := machine.Rates{Transforms: 1e7, Evaluations: 1e6, Flops: 1e8, Poisson: 1e6}
	c := config.Reference()
	e := rates.Estimate(c, 2)
	if min(e.Generate, e.Train, e.Evaluate) < 20 {
		t.Fatalf("%+v: too short to correct", e)
	}
	taken := func(c config.Config, train, evaluate float64) Taken { // of both workers
		return Taken{c, Seconds{Generate: 0.001, Train: train * 2 * e.Train, Evaluate: evaluate * 2 * e.Evaluate}}
	}
	kernel := c
	kernel.Train.Method = config.KernelRidge
	past := []Taken{taken(kernel, 1, 9), taken(c, 4, 0.5), taken(c, 3, 0.5), taken(c, 2, 0.5), taken(c, 9, 9)}
	got := Forecast(rates, c, 2, past)
	for _, stage := range []struct {
		name      string
		got, want float64
	}{{"train", got.Train, 3 * e.Train}, {"evaluate", got.Evaluate, e.Evaluate / 2},
		{"generate, which others have done", got.Generate, e.Generate}} {
		if math.Abs(stage.got/stage.want-1) > 0.02 {
			t.Errorf("%s: %g s, want %g s", stage.name, stage.got, stage.want)
		}
	}
	if got := Forecast(rates, c, 2, past[:1]); got != e {
		t.Errorf("another method: %+v, want %+v", got, e)
	}
}

const pause = time.Second

// drowsy is a context that sleeps when it is asked first, as a process sleeps on a busy machine.
type drowsy struct {
	context.Context
	once sync.Once
}

func (d *drowsy) Err() error {
	d.once.Do(func() { time.Sleep(pause) })
	return d.Context.Err()
}

// Lately reads the processor time of complete runs, without time in which nothing worked, and ignores damaged files.
func TestLatelyReadsWhatRunsTook(t *testing.T) {
	root, c := t.TempDir(), small(t)
	e, err := Create(context.Background(), root, "", c, time.Now(), Options{Workers: 1})
	if err == nil {
		err = e.Run(&drowsy{Context: context.Background()})
	}
	noError(t, err)
	list, err := store.List(root)
	noError(t, err)
	past := Lately(list)
	if len(past) != 1 || past[0].Processor.Stages() != e.processor || past[0].Config != e.Config {
		t.Fatalf("%+v, want one run that took %+v", past, e.processor)
	}
	if slept := e.Seconds().Generate; slept < pause.Seconds() || e.processor[0] > slept-pause.Seconds()/2 {
		t.Errorf("a stage of %g s with a pause of %v took %g s of the processor", slept, pause, e.processor[0])
	}
	noError(t, os.WriteFile(filepath.Join(e.Directory(), store.TimingsFile), []byte("{"), 0o600))
	if past := Lately(list); len(past) != 0 {
		t.Errorf("of a damaged file: %+v", past)
	}
}
