// This file estimates the time and the memory of methods, from fits to measured times.

package engine

import (
	"math"
	"slices"

	"rfm/config"
	"rfm/model/learn/correct"
	"rfm/model/learn/expansion"
	"rfm/model/learn/fno"
	"rfm/model/learn/kernel"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/run/setup"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// size is what the work of a method depends on.
type size struct {
	pairs  float64
	values float64     // of an output: points times channels
	domain grid.Domain // of one channel
	in     float64     // channels of inputs
	out    float64     // channels of outputs
}

// works are fits to measured times, by the names of methods. They are in operations, of which a core
// does Rates.learning a second. The powers of pairs and values are those of the dearest parts of a method; the constants were
// measured on one core, 64 to 1024 pairs, to a factor of 1.5 in nine of ten runs, and for kernels to 12000 pairs. For other
// symmetries they are orders of magnitude.
var works = map[string]func(s size) float64{
	config.Mean:      meanWork,
	"linear":         linearWork,
	"kernel":         kernelWork,
	"equivariant":    equivariantWork,
	config.Layers:    layersWork,
	config.Sheared:   shearedWork,
	config.Corrected: correctedWork,
}

// meanWork is that of a sum over the pairs.
func meanWork(s size) float64 {
	return 10 * s.pairs * s.values
}

// linearWork is that of finding the principal components, and of a least-squares problem with a coefficient for each.
func linearWork(s size) float64 {
	components := min(s.pairs, s.values, expansion.MostComponents)
	return 3e9 + 85*s.pairs*s.values*components
}

// kernelWork is that of a search on few pairs, and of one solution.
func kernelWork(s size) float64 {
	n := s.pairs
	m := min(n, kernel.MostExact)
	images := 1.0
	if s.domain.Dims == 2 && !s.domain.Periodic { // motions of the square, if they lower the error
		images = 2
	}
	solve := 1.1 * m * m * m
	if n > m { // with landmarks
		solve = (5*n + 3*m) * m * m
	}
	search := min(n, 512) * (6.5e7 + 2.4e5*s.values)
	return images * (search + images*solve)
}

// equivariantWork is that of a search on a coarse grid, and of a solution for each frequency.
func equivariantWork(s size) float64 {
	search := 8e6 * min(s.pairs, 100) * min(s.values, 65)
	if s.domain.Dims == 2 {
		search = 1.6e7 * min(s.pairs, 64) * min(s.values, 289)
	}
	return search + equivariantSolve(s.pairs, s.values)
}

func equivariantSolve(n, values float64) float64 { return 7 * n * n * n * values }

// shearedWork is that of trying nine transforms on 150 pairs, and of fitting one or two.
func shearedWork(s size) float64 {
	few := min(s.pairs, operator.LookPairs)
	try := 1e7*min(s.pairs, 64)*min(s.values, 33) + equivariantSolve(few, s.values)
	search := 8e6 * min(s.pairs, 100) * min(s.values, 65)
	fit := search + equivariantSolve(s.pairs, s.values)
	return 9*try + 1.4*fit
}

// Corrections at points of any geometry take stepAtPoints operations for each value that a step predicts or learns from,
// and beginAtPoints whatever the sizes. They have usualSteps, and eigenfunctions take eigenWork operations a value.
const (
	beginAtPoints = 3e10
	stepAtPoints  = 1.4e5
	usualSteps    = 4
	eigenWork     = 2.4e7
)

// correctedWork is that of corrections to kernels which are known. Features and rows grow with the pairs.
func correctedWork(s size) float64 {
	if s.domain.Scattered() {
		looks := 2 * min(s.pairs, operator.SearchPairs) // pairs of two first looks
		return beginAtPoints + s.values*(eigenWork+stepAtPoints*(looks+usualSteps*s.pairs))
	}
	starts := 1.0
	if s.domain.Dims == 1 && s.domain.Periodic { // kernels with and without a transform of outputs
		starts = 2
	}
	overhead := 450.0
	if s.domain.Dims == 2 {
		overhead = 1340
	}
	return starts * 2.75e5 * math.Pow(s.pairs, 1.3) * (s.values + overhead)
}

// Times in seconds to measure the cost of predictions. They do not shrink on a faster machine, because fast calls are
// repeated.
const (
	pricing       = 0.1 // of a method
	solverPricing = 0.2 // of a solver
)

// Parts of the time to train a method.
const (
	curve = 0.2  // to measure the learning curve of a kernel, half that of corrections
	again = 0.6  // to train it again with known parameters
	early = 0.65 // in comparisons, because methods that lower no error stop early
	// earlyCorrections is early for corrections, the most of which gain nothing, or a few steps.
	earlyCorrections = 0.5
	// ratePredictions relates predictions of the models of which rates are measured to those of one, with the same features.
	ratePredictions = 3
	// looked is the part of the time of random features that a first look takes.
	looked = 0.05
)

// earlyOf returns the part of the time to train a method that it usually takes in a comparison. The usual work of layers
// has their early ends in it.
func earlyOf(m operator.Method) float64 {
	switch {
	case m.Name == config.Layers, m.Timed:
		return 1
	case m.Name == config.Corrected:
		return earlyCorrections
	}
	return early
}

// A spread is how much of its estimated time a method takes at least and at most.
type spread struct{ least, most float64 }

// correctedSpread is that of corrections on sets of docs/new_sets.py: they end after a first step, or take up to eight.
var correctedSpread = spread{least: 0.3, most: 2.5}

// correctedAtPoints is that of corrections at points of any geometry, on sets of docs/points.py.
var correctedAtPoints = spread{least: 0.25, most: 3}

// motionsSpread is that of kernels on closed squares. If the motions of the square lower the error, the search goes on with
// all images of the pairs: with 160 pairs on 33 x 33 points it took 0.5 times the estimate without them, and 1.8 to 3.5 times
// with them.
var motionsSpread = spread{least: 0.5, most: 3.5}

// ownSpread returns the spread of a method that depends on the pairs wherever it is used; ok is false for others.
func ownSpread(m operator.Method, of size) (s spread, ok bool) {
	d := of.domain
	if m.Name == kernel.Method.Name && d.Dims == 2 && !d.Periodic {
		return motionsSpread, true
	}
	switch {
	case m.Name == config.Layers:
		return layersSpread(of), true
	case m.Name == config.Corrected && d.Scattered():
		return correctedAtPoints, true
	case m.Name == config.Corrected:
		return correctedSpread, true
	}
	return spread{}, false
}

// The spreads in a comparison of methods that have none by themselves, and of random features: methods that are far behind
// others end after a first look, and kernels also try logarithms of inputs, or a length for each number. Fast predictions
// are priced sooner than slow ones.
var (
	comparedSpread = spread{least: 0.3, most: 1.5}
	kernelSpread   = spread{least: 0.5, most: 3}
	featuresSpread = spread{least: 0.01, most: 1}
	pricingSpread  = spread{least: 0, most: 1}
)

// spreadInComparison returns the spread of a method in a comparison. Methods that are no reference are not tried where a linear
// map is exact, as it is for many equations and rarely for outputs in files, which were measured or rounded. At points of any
// geometry they are not tried either if inputs have points of their own.
func (t *methodTimes) spreadInComparison(m operator.Method, of size) spread {
	s, ok := ownSpread(m, of)
	switch {
	case ok:
	case m.Timed:
		return spread{least: 1, most: 1}
	case m.Name == kernel.Method.Name:
		s = kernelSpread
	default:
		s = comparedSpread
	}
	mayBeExact := of.domain.Scattered() || !t.config.Of().Files
	if mayBeExact && !m.Reference {
		s.least = 0
	}
	return s
}

// doubt makes a part of the time as uncertain as a spread says. Pairs from which one method gains nothing make others end
// early, too, so that what may be saved adds up; longest times of several methods together are rarer.
func (e *Estimate) doubt(seconds float64, s spread) {
	e.Less += (1 - s.least) * seconds
	e.More = math.Hypot(e.More, (s.most-1)*seconds)
}

// curvePairs is the least number of pairs that have a learning curve.
const curvePairs = 128

// methodTimes adds up what the methods of a configuration take.
type methodTimes struct {
	Rates
	config  config.Config
	workers float64
	inputs  grid.Batch // of no values: domain and points
	outputs grid.Batch // likewise
	options operator.Options
	bytes   float64 // of the largest method so far
}

func (r Rates) newMethodTimes(c config.Config, workers float64) *methodTimes {
	pairs := shapes(c)
	return &methodTimes{
		Rates:   r,
		config:  c,
		workers: workers,
		inputs:  pairs.Inputs,
		outputs: pairs.Outputs,
		options: operator.Options{
			Workers:  int(workers),
			Symmetry: c.Data.Symmetry,
			Network:  networkOf(c),
		},
	}
}

// size returns the size of learning from n pairs by a method.
func (t *methodTimes) size(m operator.Method, n int) size {
	return sizeOf(m, t.config, n, t.outputs.Domain)
}

// seconds returns the time in which a method learns from n pairs.
func (t *methodTimes) seconds(m operator.Method, n int) float64 {
	if m.Timed {
		return t.config.NetworkSeconds() / min(t.workers, fno.Lanes)
	}
	return workOf(m, t.config, n, t.outputs.Domain) / t.learning() / t.workers
}

// addBytes adds the memory in which a method learns from n pairs.
func (t *methodTimes) addBytes(m operator.Method, n int) {
	pairs := dataset.Pairs{Inputs: t.inputs, Outputs: t.outputs}
	pairs.Inputs.Count = n
	pairs.Outputs.Count = n
	t.bytes = max(t.bytes, m.Bytes(pairs, t.options))
}

// ofConfigured adds to an estimate the time of the configured method, besides random features, and that of its learning
// curve.
func (t *methodTimes) ofConfigured(e *Estimate, all []operator.Method) {
	c := t.config
	kernels := 0.0 // seconds of those with which layers and corrections begin
	for _, m := range all {
		beginsWithKernels := m.Name == config.Layers || m.Name == config.Corrected
		if m.Name != c.Train.Method {
			if !beginsWithKernels {
				kernels += t.seconds(m, min(c.Data.Train, m.Most))
			}
			continue
		}
		n := c.Data.Train
		share := curve
		e.Train = t.seconds(m, n)
		if beginsWithKernels {
			e.Train += kernels
			share = 2 * curve
		}
		if c.Train.Noise { // learns once more, from twice the pairs
			n *= 2
			e.Train += t.seconds(m, n)
		}
		own, ok := ownSpread(m, t.size(m, n))
		if ok {
			e.doubt(e.Train, own)
		}
		hasCurve := 2*c.Data.Train <= m.Most && c.Data.Train >= curvePairs
		if c.Evaluation.Curve && hasCurve {
			e.Evaluate += share * e.Train
		}
		t.addBytes(m, n)
	}
}

// ofPredictions corrects the time of predictions, which an estimate has for random features. Other methods predict within
// the time of pricing. With best, any of them may be chosen.
func (t *methodTimes) ofPredictions(e *Estimate, compared comparison) {
	ofFeatures := e.Evaluate
	isCompared := t.config.Evaluation.Baselines
	switch {
	case t.config.Train.Method == config.RandomFeatures:
	case t.config.Train.Method == config.Best && compared.features:
		e.doubt(ofFeatures, featuresSpread)
	case isCompared && compared.features:
	default:
		e.Evaluate = 0
	}
	t.ofCorrections(e)
}

// predictionWorks has the operations of one prediction by methods that do not predict within the time of pricing. Their names
// are those of works.
var predictionWorks = map[string]func(s size) float64{
	"equivariant":  translationsWork,
	config.Sheared: translationsWork,
}

// translationsWork is that of comparing an input with every training input in all positions.
func translationsWork(s size) float64 {
	const position = 200
	return position * s.pairs * s.values
}

// predicting returns the seconds in which a method predicts for all test inputs, besides the time of pricing.
func (t *methodTimes) predicting(m operator.Method, n int) float64 {
	work, ok := predictionWorks[m.Name]
	if !ok {
		return 0
	}
	tests := float64(t.config.Data.Test)
	return tests * work(t.size(m, n)) / t.learning() / t.workers
}

// ofCorrections adds the time of predictions of corrections at points of any geometry, if these may be the model.
func (t *methodTimes) ofCorrections(e *Estimate) {
	method := t.config.Train.Method
	domain := t.outputs.Domain
	possible := method == config.Corrected || method == config.Best
	if !possible || !domain.Scattered() || !correct.Learns(domain) {
		return
	}
	predictions := float64(t.config.Data.Train + t.config.Data.Test)
	operations := stepAtPoints * usualSteps * predictions * float64(t.outputs.Values())
	seconds := operations / t.learning() / t.workers
	e.Evaluate += seconds
	e.doubt(seconds, spread{least: 0, most: 2})
}

// addMethods adds the time of the configured method, and of those it is chosen from or compared with, and the memory of
// the largest to an estimate that contains pairs and random features already.
func (r Rates) addMethods(e *Estimate, c config.Config, workers float64) {
	t := r.newMethodTimes(c, workers)
	all := method.Compared(c, t.inputs.Domain, t.outputs.Domain)
	compared := comparisonOf(c, t.inputs.Domain, t.outputs.Domain)
	isCompared := c.Evaluation.Baselines
	isBest := c.Train.Method == config.Best
	outputs := t.outputs
	outputs.Count = c.Data.Train
	if isBest && tooManyScattered(outputs) { // features are not tried, see learnFeatures
		compared.features = false
		e.Train = 0
	}
	features := e.Train    // seconds of random features
	predicts := e.Evaluate // seconds of their predictions
	t.ofPredictions(e, compared)
	learning := 0.0    // seconds of the methods of a comparison besides
	predictions := 0.0 // seconds of their predictions
	for _, m := range compared.methods {
		n := min(c.Data.Train, m.Most)
		own := earlyOf(m) * t.seconds(m, n)
		learning += own
		predictions += t.predicting(m, n)
		if isCompared || isBest {
			t.addBytes(m, n)
			e.doubt(own, t.spreadInComparison(m, t.size(m, n)))
		}
	}
	e.Evaluate += pricing
	if !c.Of().Files {
		e.Evaluate += solverPricing
	}
	t.ofConfigured(e, all)
	if c.Data.HasLow() {
		t.addLow(e)
	}
	if t.bytes > 0 {
		e.Bytes += t.bytes + operator.Spare
	}

	if c.Evaluation.Bands { // trained again without each of ten parts, and without each half
		training := e.Train
		if isBest { // any of the methods may be chosen
			training = (features + learning) / float64(len(all)+1)
		}
		e.Evaluate += 11 * again * training
	}
	if isCompared {
		prices := pricing * float64(len(compared.methods))
		e.Evaluate += prices
		e.doubt(prices, pricingSpread)
	}
	if isBest {
		e.Train += learning
		switch {
		case compared.features && c.Of().Files: // which end after a look, or nearly always: see operator.FeaturesBehind
			e.Train -= (1 - looked) * features
			e.doubt(features, spread{least: 1, most: 2 - looked})
		case compared.features:
			e.doubt(features, featuresSpread)
		}
		if c.Evaluation.Curve && c.Data.Train >= curvePairs { // of any of the methods
			seconds := curve * learning
			e.Evaluate += seconds
			e.doubt(seconds, pricingSpread)
		}
		return
	}
	if !isCompared {
		return
	}
	e.Evaluate += learning + predictions
	if compared.features {
		e.Evaluate += features
	}
	if hasRates(c) {
		pairs := float64(max(1, c.Data.Train))
		e.Evaluate += features * min(1, ratePairs/pairs)
		e.Evaluate += ratePredictions * predicts
	}
}

// addLow adds to an estimate what pairs of low fidelity take.
func (t *methodTimes) addLow(e *Estimate) {
	seconds, bytes := t.lowSeconds(t.config, t.workers)
	e.Train += seconds
	t.bytes = max(t.bytes, bytes)
	const (
		number = 8 // bytes
		copies = 2 // as they are read, and on the training grid
	)
	values := float64(t.inputs.Values() + t.outputs.Values())
	e.Bytes += heapGrowth * number * copies * float64(t.config.Data.LowPairs) * values
}

// heapGrowth is the growth of the heap before garbage collection, relative to the memory in use.
const heapGrowth = 1.5

// lowSeconds returns the time to learn from pairs of low fidelity, and from what their model leaves of the other pairs,
// and the memory of the largest of these trainings.
func (r Rates) lowSeconds(c config.Config, workers float64) (seconds, bytes float64) {
	c.Train.Patience = 0
	t := r.newMethodTimes(c, workers)
	domain := setup.Domain(c)
	in, out := c.Channels()
	learn := func(width, count int, all []operator.Method, share float64) {
		t.inputs.Domain = domain.With(width)
		for _, m := range all {
			n := min(count, m.Most)
			seconds += share * workOf(m, c, n, t.outputs.Domain) / t.learning() / t.workers
			t.addBytes(m, n)
		}
	}
	among := func(width int, names ...string) []operator.Method {
		others := func(m operator.Method) bool { return !slices.Contains(names, m.Name) }
		all := method.All(domain.With(width), domain.With(out), c.Data.Symmetry)
		return slices.DeleteFunc(all, others)
	}
	names := []string{c.Train.Method}
	if c.Train.Method == config.Best {
		names = restNames
		all := method.Compared(c, domain.With(in), domain.With(out))
		learn(in, c.Data.LowPairs, all, early)
	} else {
		learn(in, c.Data.LowPairs, among(in, names...), 1)
	}
	for _, width := range []int{in, in + out} { // the rest does not see the low prediction, or sees it
		learn(width, c.Data.Train, among(width, names...), 1)
	}
	return seconds, t.bytes
}
