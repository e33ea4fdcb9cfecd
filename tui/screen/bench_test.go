package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
)

// A change of the configuration is drawn at once with the previous pictures, then with a new random draw: both together
// must take far less than the 100 ms that a person does not notice.
func BenchmarkPreviewAfterAChange(b *testing.B) {
	for _, preset := range config.Presets() {
		b.Run(preset.Name, func(b *testing.B) {
			m := New(Options{Config: preset.Config, Workers: 2}.parts())
			m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			d := m.Session().Draft()
			for b.Loop() {
				d.Config.Seed++
				m.Session().Edit(d)
				for _, cmd := m.Update(nil); cmd != nil; {
					_, cmd = m.Update(cmd())
				}
				m.View()
			}
		})
	}
}
