// The bare kernel, for measurements.

package linalg

// RunKernel runs the kernel of RankUpdate alone, repeats times over on one tile whose operands stay in the first cache,
// and returns the number of multiplications and additions: an upper bound of the speed of rank-k updates.
func RunKernel(repeats int) (operations float64) {
	const height, width = 8, 24 // whole tiles at every level
	features, c := NewPanels(KC, width), NewSymmetric(width)
	u := c.update(features, features, KC, 0)
	for range repeats {
		u.tiles(0, height, 0, width, 0, KC)
	}
	return 2 * height * width * KC * float64(repeats)
}
