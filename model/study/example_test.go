package study_test

import (
	"fmt"

	"rfm/model/study"
)

func ExampleSchedule() {
	wanted, err := study.Select([]string{"semigroup"})
	if err != nil {
		panic(err)
	}
	for _, s := range study.Schedule(wanted) {
		fmt.Println(s.Name, "-", s.Source)
	}
	// Output:
	// burgers-seeds - not in the paper
	// burgers-semigroup - Table 4.1
}
