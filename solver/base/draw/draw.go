// Package draw gives every random object its own stream of random numbers, so that sample i and feature j do not depend
// on the number of samples, features or workers, nor on the order of drawing.
package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Purpose is the purpose of a stream; streams of different purposes are independent.
type Purpose string

// The purposes of streams.
const (
	InputTrain     Purpose = "input-train"     // index: training sample
	InputTest      Purpose = "input-test"      // index: test sample
	Theta          Purpose = "theta"           // index: random feature
	ThetaPredictor Purpose = "theta-predictor" // index: random feature; theta_1 of a predictor-corrector pair
	ThetaCorrector Purpose = "theta-corrector" // index: random feature; theta_2 of the pair
	ThetaBridge    Purpose = "theta-bridge"    // index: random feature; the normals of a Brownian bridge
	ThetaBias      Purpose = "theta-bias"      // index: random feature; its bias
	ThetaAmplitude Purpose = "theta-amplitude" // index: random feature; the amplitude of its theta
	DataPoint      Purpose = "data-point"      // index: data point of a scalar example
	Split          Purpose = "split"           // index: 0; training and test pairs of a file
	Rows           Purpose = "rows"            // index: training sample; its points that enter the sums
	LeftOut        Purpose = "left-out"        // index: 0; training pairs that are left out to choose lambda
)

// OfNumbers follows the purpose of inputs in that of the random numbers of these inputs.
const OfNumbers Purpose = "-numbers"

// Permutation returns the numbers below count in an order that depends on the seed, the purpose, the index and count
// only.
func Permutation(seed uint64, purpose Purpose, index, count int) []int {
	order := make([]int, count)
	stream := Stream(seed, purpose, index)
	for i := range order { // Fisher and Yates, inside-out
		j := int(stream.Uint64N(uint64(i + 1)))
		order[i] = order[j]
		order[j] = i
	}
	return order
}

// Stream returns the stream of (seed, purpose, index): ChaCha8 keyed with SHA-256 of the three.
func Stream(seed uint64, purpose Purpose, index int) *rand.Rand {
	key := make([]byte, 0, 64)
	key = append(key, "rfm stream 1\x00"...)
	key = binary.LittleEndian.AppendUint64(key, seed)
	key = binary.LittleEndian.AppendUint64(key, uint64(index))
	key = append(key, purpose...)
	return rand.New(rand.NewChaCha8(sha256.Sum256(key)))
}
