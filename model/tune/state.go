package tune

import (
	"hash/fnv"
	"maps"
	"math"
	"slices"
)

// Stage is the purpose of evaluations.
type Stage int

// The stages, in their order.
const (
	Start      Stage = iota // the initial configuration
	Explore                 // random parameters for every activation
	Compete                 // descent with the best few activations
	Converge                // descent with the best two
	Confirm                 // descent with more features
	Rescore                 // the best few on fresh draws and other splits
	stageCount = iota
)

// String returns the stage in a word.
func (s Stage) String() string {
	return [...]string{"start", "explore", "compete", "converge", "confirm", "rescore"}[s]
}

// An Evaluation is one model that was trained and validated.
type Evaluation struct {
	request
	Error    float64 // mean relative L2 error on the pairs that were left out, at most 1
	Relative float64 // lambda of that error, relative to the largest eigenvalue
	scores   scores
}

// A Place is a point of the search space.
type Place struct {
	Choices     map[string]string // by configuration key
	Coordinates []float64         // in [0, 1], a dimension each
}

// request is a requested evaluation.
type request struct {
	Stage    Stage
	Place    *Place // nil: the initial configuration, unchanged
	Features int    // m
	Draw     int    // number of the draw and split; 0 for the search
}

// evaluated returns the evaluation of a request.
func (r request) evaluated(s scores) Evaluation {
	e := Evaluation{request: r, scores: s}
	e.Error, e.Relative = s.least()
	return e
}

// row is a stored evaluation. A search makes the same requests whenever it is repeated, so their scores suffice; the
// other numbers show that they are the same.
type row [5 + len(relatives)]float64

// row returns the evaluation for storage, with the seconds that the search has taken by then.
func (e Evaluation) row(seconds float64) (r row) {
	copy(r[:], []float64{float64(e.Stage), float64(e.Features), float64(e.Draw), e.Place.fingerprint(), seconds})
	copy(r[5:], e.scores[:])
	return r
}

func (r row) stage() Stage     { return Stage(r[0]) }
func (r row) features() int    { return int(r[1]) }
func (r row) draw() int        { return int(r[2]) }
func (r row) seconds() float64 { return r[4] }

// answers reports whether the row is of an evaluation for a request.
func (r row) answers(q request) bool {
	return r.stage() == q.Stage && r.features() == q.Features && r.draw() == q.Draw && r[3] == q.Place.fingerprint()
}

// fingerprint returns an integer below 2^52 that tells a place from others, to the last bit of its coordinates.
func (p *Place) fingerprint() float64 {
	if p == nil {
		return 0
	}
	sum := fnv.New64a()
	for _, key := range slices.Sorted(maps.Keys(p.Choices)) {
		sum.Write([]byte(key + "=" + p.Choices[key] + "\n"))
	}
	for _, u := range p.Coordinates {
		bits := math.Float64bits(u)
		for range 8 {
			sum.Write([]byte{byte(bits)})
			bits >>= 8
		}
	}
	return float64(sum.Sum64() >> 12)
}

// same reports whether two places are equal, to the last bit.
func (p *Place) same(q *Place) bool {
	if p == nil || q == nil {
		return p == q
	}
	return maps.Equal(p.Choices, q.Choices) && slices.Equal(p.Coordinates, q.Coordinates)
}
