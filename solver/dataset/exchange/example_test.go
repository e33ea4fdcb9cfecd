package exchange_test

import (
	"context"
	"fmt"

	"rfm/solver/dataset/exchange"
)

func ExampleOpen() {
	f, err := exchange.Open(context.Background(), "../mat/testdata/types.mat")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println(f.Kind)
	for _, m := range f.Members[:3] {
		fmt.Println(m.Name, m.Type, m.Shape, m.Fortran, m.Readable())
	}
	a, err := f.Array("float64")
	fmt.Println(a.Data[:4], err)
	// Output:
	// MATLAB 5 mat
	// float64 double [2 3 4] true true
	// float32 single [2 3 4] true true
	// int8 int8 [2 3 4] true true
	// [0 0.125 0.25 0.375] <nil>
}
