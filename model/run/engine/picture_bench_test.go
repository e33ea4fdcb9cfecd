package engine

import (
	"testing"

	"rfm/config"
)

// BenchmarkPicture solves an equation as the form does after each key, for presets with conditions at their sides and
// steady states. It should take less than 0.2 s.
func BenchmarkPicture(b *testing.B) {
	for _, preset := range config.Presets() {
		c := preset.Config
		hasSides := c.Equation.Bounded() || c.Equation.Steady()
		if !hasSides {
			continue
		}
		b.Run(preset.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Picture(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
