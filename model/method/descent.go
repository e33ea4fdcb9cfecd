// This file chooses parameters of a method.

package method

import "math"

// descend goes down from a start: along each of several ladders in turn as long as the score falls, until no step along
// any makes it fall. rungs are the lengths of the ladders. It returns the place with the least score it has found,
// which may be +Inf. The error is that of score.
func descend(rungs, start []int, score func(at []int) (float64, error)) (place []int, least float64, err error) {
	known := map[[maxLadders]int]float64{}
	look := func(at []int) (float64, error) {
		var key [maxLadders]int
		for l, n := range rungs {
			if at[l] < 0 || at[l] >= n {
				return math.Inf(1), nil
			}
			key[l] = at[l]
		}
		if s, ok := known[key]; ok {
			return s, nil
		}
		s, err := score(at)
		if math.IsNaN(s) {
			s = math.Inf(1)
		}
		known[key] = s
		return s, err
	}
	place = append([]int(nil), start...)
	if least, err = look(place); err != nil {
		return nil, 0, err
	}
	for moved := true; moved; {
		moved = false
		for l := range place {
			for _, step := range []int{-1, 1} {
				for {
					next := append([]int(nil), place...)
					next[l] += step
					s, err := look(next)
					if err != nil {
						return nil, 0, err
					}
					if !(s < least) {
						break
					}
					place, least, moved = next, s, true
				}
			}
		}
	}
	return place, least, nil
}

// maxLadders is the number of parameters that descend can choose.
const maxLadders = 6
