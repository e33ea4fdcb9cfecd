// This file finds numbers that stand for values that are missing, as -9999, and reads them as NaN.

package pairs

import (
	"fmt"
	"math"
	"strconv"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

// stand lists numbers that programs write where there is no value. The last is the default of netCDF.
var stand = []float64{
	-999, -9999, -99999, 9999, 99999,
	1e20, -1e20, 1e30, -1e30, 1e35,
	9.969209968386869e36,
}

// isNumber reports whether a value is a number, in double or in single precision.
func isNumber(v, number float64) bool { return v == number || v == float64(float32(number)) }

// withoutMissing returns an array in which a number, the value of data.missing, is NaN.
func withoutMissing(m npy.Member, setting string) npy.Member {
	missing, err := strconv.ParseFloat(setting, 64)
	if err != nil || m.Numbers == nil { // there is no such number
		return m
	}
	whole := m.Numbers
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		return whole(at, func(positions []int, values []float64) bool {
			for i, v := range values {
				if isNumber(v, missing) {
					values[i] = math.NaN()
				}
			}
			return put(positions, values)
		})
	}
	return m
}

// spread observes the values of an array: how often each number that may stand for a missing value is there, and the
// range of the others.
type spread struct {
	least  float64
	most   float64
	counts []int // of the numbers in stand
}

func newSpread() *spread {
	return &spread{
		least:  math.Inf(1),
		most:   math.Inf(-1),
		counts: make([]int, len(stand)),
	}
}

func (s *spread) observe(v float64) {
	if v >= s.least && v <= s.most {
		return
	}
	for i, number := range stand {
		if isNumber(v, number) {
			s.counts[i]++
			return
		}
	}
	s.least = min(s.least, v)
	s.most = max(s.most, v)
}

// missing returns the number that stands for missing values, and how often it is there: one that is further from all other
// values than these are from each other. A count of 0 means that there is none.
func (s *spread) missing() (number float64, count int) {
	const far = 3
	for i, number := range stand {
		distance := max(s.least-number, number-s.most)
		if s.counts[i] > 0 && distance > far*(s.most-s.least) {
			return number, s.counts[i]
		}
	}
	return 0, 0
}

// refusal returns the error of an array that has such a number, or nil.
func (s *spread) refusal(file string, p array) error {
	number, count := s.missing()
	if count == 0 {
		return nil
	}
	text := strconv.FormatFloat(number, 'g', -1, 64)
	return fault.Bad(
		npy.Place(file, p.Name),
		fmt.Sprintf("--set data.missing=%s leaves them out, --set data.missing=none takes them as values", text),
		"has %s in %s, far from all other values (%.4g to %.4g), as if values were missing there",
		text, printable.Several(count, "place"), s.least, s.most,
	)
}
