package paper_test

import (
	"fmt"

	"rfm/model/paper"
)

func ExampleSchedule() {
	wanted, err := paper.Select([]string{"semigroup"})
	if err != nil {
		panic(err)
	}
	for _, s := range paper.Schedule(wanted) {
		fmt.Println(s.Name, "-", s.Source)
	}
	// Output:
	// burgers-seeds - not in the paper
	// burgers-semigroup - Table 4.1
}
