// Package quantity writes times and sizes for people.
package quantity

import (
	"fmt"
	"math"
	"time"
)

// Duration writes a time in seconds with two or three significant digits: 0.21 s, 12 s, 3 min 20 s, 2 h 5 min.
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

// Bytes writes a size with binary units: 512 B, 1.5 MiB, 300 MiB.
func Bytes(n float64) string {
	if math.IsNaN(n) || n < 0 {
		return "? B"
	}
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 1000 {
			if n < 9.95 && unit != "B" {
				return fmt.Sprintf("%.1f %s", n, unit)
			}
			return fmt.Sprintf("%.0f %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.1f TiB", n)
}

// Error writes a relative error with so many decimals, a small one with three digits.
func Error(e float64, decimals int) string {
	const small = 1e-3
	if math.Abs(e) < small {
		return fmt.Sprintf("%.3g", e)
	}
	return fmt.Sprintf("%.*f", decimals, e)
}

// Age writes a time with one unit, for tables: 4.2s, 20s, 12m, 3h, 5d.
func Age(age time.Duration) string {
	switch age = max(0, age); {
	case age < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", age.Seconds())
	case age < time.Minute:
		return fmt.Sprintf("%.0fs", age.Seconds())
	case age < time.Hour:
		return fmt.Sprintf("%dm", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%dh", int(age.Hours()))
	}
	return fmt.Sprintf("%dd", int(age.Hours()/24))
}

// Count writes a large number of things with two digits.
func Count(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if n >= 0.9995*unit.size {
			if n >= 99.5*unit.size {
				return fmt.Sprintf("%.0f%s", n/unit.size, unit.name)
			}
			return fmt.Sprintf("%.2g%s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f", n)
}
