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

// works are fits to measured times, by the names of methods that learn from n pairs of V values. They are in operations
// of the rank-k update, of which a core does Rates.Flops a second. The powers of n and V are those of the dearest parts
// of a method; the constants were measured on one core, n = 64 to 1024, to a factor of 1.5 in nine of ten runs, and for
// kernels to n = 12000. For other symmetries they are orders of magnitude.
var works = map[string]func(n, V float64, d grid.Domain) float64{
	config.Mean:      meanWork,
	"linear":         linearWork,
	"kernel":         kernelWork,
	"equivariant":    equivariantWork,
	config.Layers:    layersWork,
	config.Sheared:   shearedWork,
	config.Corrected: correctedWork,
}

// meanWork is that of a sum over the pairs.
func meanWork(n, V float64, _ grid.Domain) float64 {
	return 10 * n * V
}

// linearWork is that of finding the principal components, and of a least-squares problem with a coefficient for each.
func linearWork(n, V float64, _ grid.Domain) float64 {
	components := min(n, V, expansion.MostComponents)
	return 3e9 + 85*n*V*components
}

// kernelWork is that of a search on few pairs, and of one solution.
func kernelWork(n, V float64, d grid.Domain) float64 {
	m := min(n, kernel.MostExact)
	images := 1.0
	if d.Dims == 2 && !d.Periodic { // motions of the square, if they lower the error
		images = 2
	}
	solve := 1.1 * m * m * m
	if n > m { // with landmarks
		solve = (5*n + 3*m) * m * m
	}
	search := min(n, 512) * (6.5e7 + 2.4e5*V)
	return images * (search + images*solve)
}

// equivariantWork is that of a search on a coarse grid, and of a solution for each frequency.
func equivariantWork(n, V float64, d grid.Domain) float64 {
	search := 8e6 * min(n, 100) * min(V, 65)
	if d.Dims == 2 {
		search = 1.6e7 * min(n, 64) * min(V, 289)
	}
	return search + 7*n*n*n*V
}

// layersWork is that of layers that begin with a kernel which is known. Along a line there are twice as many values around a
// point, and sums that learn again and again.
func layersWork(n, V float64, d grid.Domain) float64 {
	work := 2.6e11 + 1.1e7*min(n*V, 1e5)
	if d.Dims == 1 {
		work *= 1.7
	}
	return work
}

// shearedWork is that of trying nine transforms on 150 pairs, and of fitting one or two.
func shearedWork(n, V float64, _ grid.Domain) float64 {
	few := min(n, 150)
	try := 1e7*64*min(V, 33) + 7*few*few*few*V
	search := 8e6 * min(n, 100) * min(V, 65)
	fit := search + 7*n*n*n*V
	return 9*try + 1.4*fit
}

// Corrections at points of any geometry take stepAtPoints operations for each value that a step predicts or learns from.
// They have usualSteps, and eigenfunctions take eigenWork operations a value.
const (
	stepAtPoints = 1.4e5
	usualSteps   = 4
	eigenWork    = 2.4e7
)

// correctedWork is that of corrections to kernels which are known. Features and rows grow with the pairs.
func correctedWork(n, V float64, d grid.Domain) float64 {
	if d.Scattered() {
		looks := 2 * min(n, operator.SearchPairs) // pairs of two first looks
		return V * (eigenWork + stepAtPoints*(looks+usualSteps*n))
	}
	starts := 1.0
	if d.Dims == 1 && d.Periodic { // kernels with and without a transform of outputs
		starts = 2
	}
	overhead := 450.0
	if d.Dims == 2 {
		overhead = 1340
	}
	return starts * 2.75e5 * math.Pow(n, 1.3) * (V + overhead)
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
)

// A spread is how much of its estimated time a method takes at least and at most.
type spread struct{ least, most float64 }

// spreads are those of methods by their names, on sets of docs/new_sets.py: layers that gain nothing end after a look.
var spreads = map[string]spread{
	config.Layers:    {least: 0.18, most: 2.2},
	config.Corrected: {least: 0.3, most: 2},
}

// spreadsAtPoints are those at points of any geometry, on sets of docs/points.py. Layers that gain nothing took 0.05 to 0.13
// times the estimate, others up to 1.4 times.
var spreadsAtPoints = map[string]spread{
	config.Layers:    {least: 0.05, most: 2},
	config.Corrected: {least: 0.25, most: 2.5},
}

// motionsSpread is that of kernels on closed squares. If the motions of the square lower the error, the search goes on with
// all images of the pairs: with 160 pairs on 33 x 33 points it took 0.5 times the estimate without them, and 1.8 to 3.5 times
// with them.
var motionsSpread = spread{least: 0.5, most: 3.5}

// ownSpread returns the spread of a method that depends on the pairs wherever it is used; ok is false for others.
func ownSpread(m operator.Method, d grid.Domain) (s spread, ok bool) {
	if m.Name == kernel.Method.Name && d.Dims == 2 && !d.Periodic {
		return motionsSpread, true
	}
	if d.Scattered() {
		s, ok = spreadsAtPoints[m.Name]
		return s, ok
	}
	s, ok = spreads[m.Name]
	return s, ok
}

// The spreads in a comparison of methods that have none by themselves, and of random features: methods that are far behind
// others end after a first look. Fast predictions are priced sooner than slow ones.
var (
	comparedSpread = spread{least: 0.5, most: 1.5}
	featuresSpread = spread{least: 0.01, most: 1}
	pricingSpread  = spread{least: 0, most: 1}
)

// spreadOf returns the spread of a method in a comparison.
func spreadOf(m operator.Method, d grid.Domain) spread {
	own, ok := ownSpread(m, d)
	if ok && d.Scattered() { // which are not tried if inputs have points of their own, or a linear map is exact
		own.least = 0
	}
	if ok {
		return own
	}
	if m.Timed {
		return spread{least: 1, most: 1}
	}
	return comparedSpread
}

// doubt makes a part of the time as uncertain as a spread says.
func (e *Estimate) doubt(seconds float64, s spread) {
	e.Less += (1 - s.least) * seconds
	e.More += (s.most - 1) * seconds
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

// seconds returns the time in which a method learns from n pairs.
func (t *methodTimes) seconds(m operator.Method, n int) float64 {
	if m.Timed {
		return t.config.NetworkSeconds() / min(t.workers, fno.Lanes)
	}
	return workOf(m, t.config, n, t.outputs.Domain) / t.Flops / t.workers
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
		own, ok := ownSpread(m, t.inputs.Domain)
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
	seconds := operations / t.Flops / t.workers
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
	features := e.Train // seconds of random features
	t.ofPredictions(e, compared)
	learning := 0.0 // seconds of the methods of a comparison besides
	for _, m := range compared.methods {
		n := min(c.Data.Train, m.Most)
		own := early * t.seconds(m, n)
		learning += own
		if isCompared || isBest {
			t.addBytes(m, n)
			e.doubt(own, spreadOf(m, t.inputs.Domain))
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
	e.Bytes += t.bytes

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
		if compared.features {
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
	e.Evaluate += learning
	if compared.features {
		e.Evaluate += features
	}
	if hasRates(c) {
		pairs := float64(max(1, c.Data.Train))
		e.Evaluate += features * min(1, ratePairs/pairs)
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
			seconds += share * workOf(m, c, n, t.outputs.Domain) / t.Flops / t.workers
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
