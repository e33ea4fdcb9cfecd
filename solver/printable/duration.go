package printable

import (
	"fmt"
	"math"
)

// Duration formats a time in seconds with two or three significant digits: 0.21 s, 12 s, 3 min 20 s, 2 h 5 min.
func Duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || seconds < 0:
		return "? s"
	case seconds == 0:
		return "0 ms"
	case seconds < 0.0000995:
		return fmt.Sprintf("%.2g us", seconds*1e6)
	case seconds < 0.00995:
		return fmt.Sprintf("%.2g ms", seconds*1e3)
	case seconds < 0.0995:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case seconds < 0.995:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds < 9.95:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 99.5:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 3600:
		s := int(math.Round(seconds))
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case seconds < 360000:
		m := int(math.Round(seconds / 60))
		return fmt.Sprintf("%d h %d min", m/60, m%60)
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}
