package npy_test

import (
	"bytes"
	"fmt"

	"rfm/solver/dataset/npy"
)

// A written array is read again; a truncated file is refused before memory is allocated.
func Example() {
	var file bytes.Buffer
	if err := npy.Write(&file, npy.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}); err != nil {
		fmt.Println(err)
		return
	}
	bytesOf := file.Bytes()
	a, err := npy.Read(bytes.NewReader(bytesOf), int64(len(bytesOf)))
	fmt.Println(a.Shape, a.Data, err)
	_, err = npy.Read(bytes.NewReader(bytesOf[:100]), 100)
	fmt.Println("refused:", err != nil)
	// Output:
	// [2 3] [1 2 3 4 5 6] <nil>
	// refused: true
}
