package engine

import (
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/run/setup"
	"rfm/solver/base/parallel/detector"
)

// A named method is compared with methods that together cost no more than itself; those that cost more are named. The best is
// chosen among all, and random features of a known equation are compared with reference methods whatever they cost.
func TestComparisonsCostNoMoreThanTheMethod(t *testing.T) {
	for _, problem := range []string{config.Functions, config.Fields, "burgers", "darcy"} {
		c := preset(t, problem)
		if c.Of().Files {
			noError(t, config.Assign(&c, "data.train=200", "data.test=50", "data.grid=33", "train.grid=33"))
			c.Data.TrainFile = "pairs.npz"
		}
		domain := setup.Domain(c)
		c.Train.Method = config.Best
		all := method.Compared(c, domain, domain)
		if best := comparisonOf(c, domain, domain); len(best.methods) != len(all) || !best.features || best.dearer != nil {
			t.Errorf("%s: the best is chosen among %d methods of %d", problem, len(best.methods), len(all))
		}
		for _, m := range all {
			c.Train.Method = m.Name
			compared := comparisonOf(c, domain, domain)
			total := 0.0
			for _, other := range compared.methods {
				if other.Name == m.Name {
					t.Errorf("%s: %s is compared with itself", problem, m.Name)
				}
				total += workOf(other, c, min(c.Data.Train, other.Most), domain)
			}
			if compared.features {
				total += featureWork(c)
			}
			if own := max(leastBudget, ownWork(c, all, domain)); total > own {
				t.Errorf("%s: a comparison of %.3g operations with %s, of %.3g", problem, total, m.Name, own)
			}
			count := len(compared.methods) + len(compared.dearer) + 1
			if compared.features {
				count++
			}
			if want := len(method.Compared(c, domain, domain)) + 1; count != want {
				t.Errorf("%s by %s: %d of %d methods are compared or left out with a word", problem, m.Name, count, want)
			}
		}
	}
}

// The results of a cheap method on own data say which methods are not compared.
func TestDearerMethodsAreNamed(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, _ := onDataGrid(t, tiny(t, "data.train=96", "data.grid=65"))
	c := preset(t, config.Functions, "train.method=linear")
	c.Data.TrainFile = writePairs(t, train, 65)
	e := begin(t, c, Options{Workers: 1})
	noError(t, e.Run(t.Context()))
	v := e.Evaluation()
	text := strings.Join(v.Notes(), "\n")
	if !strings.Contains(text, "The methods equivariant kernel; ") ||
		!strings.Contains(text, "they cost more than linear (train.method = best compares all)") {
		t.Errorf("%d rows: %s", len(v.Rows), text)
	}
	if brief := strings.Join(v.Brief(), "\n"); strings.Contains(brief, "The methods") {
		t.Errorf("methods that are not compared are told in brief: %s", brief)
	}
}
