package paper

import (
	"testing"

	"rfm/config"
)

// Tables must fit terminals of 80 columns, with the longest name of a quantity and its four numbers.
func TestNamesOfQuantitiesLeaveRoomForNumbers(t *testing.T) {
	const columns, numbers = 80, 37
	for _, problem := range problems {
		p := planOf(problem, false)
		for _, test := range p.transferTo {
			name := "transfer " + quantity{M: p.m, N: p.n, Grid: 65, Test: min(test, 129)}.where(p.base)
			if len(name) > columns-numbers {
				t.Errorf("%d columns: %s", len(name), name)
			}
		}
	}
	if name := "composition " + (quantity{M: 1024, N: 512, Grid: 65, Step: 3}).where(planOf(config.Burgers,
		false).base); len(name) > columns-numbers {
		t.Errorf("%d columns: %s", len(name), name)
	}
}
