package npy_test

import (
	"bytes"
	"fmt"

	"rfm/solver/dataset/npy"
)

// Arrays are written as NumPy writes them.
func ExampleWrite() {
	var file bytes.Buffer
	a := npy.Array{Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}}
	if err := npy.Write(&file, a); err != nil {
		fmt.Println(err)
		return
	}
	again, err := npy.Read(file.Bytes())
	fmt.Println(again.Shape, again.Data, err)
	// Output:
	// (2, 2) [1 2 3 4] <nil>
}
