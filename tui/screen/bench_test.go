// What a change of the configuration costs before it is on screen.

package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
)

// Every change draws everything random anew: that must take far less than the 100 ms that a person waits without noticing.
func BenchmarkPreviewAfterAChange(b *testing.B) {
	for _, preset := range config.Presets() {
		b.Run(preset.Name, func(b *testing.B) {
			m := New(Options{Config: preset.Config, Workers: 2})
			m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			for b.Loop() {
				m.session.config.Seed++
				m.content()
			}
		})
	}
}
