package exchange_test

import (
	"bytes"
	"context"
	"fmt"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// A file of any kind is a list of arrays.
func ExampleOpenContent() {
	var content bytes.Buffer
	archive := npz.NewWriter(&content)
	for _, name := range []string{"a", "u"} {
		if err := archive.Array(name, npy.Array{Shape: []int{3, 17}, Data: make([]float64, 3*17)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := archive.Close(); err != nil {
		fmt.Println(err)
		return
	}
	in := bytes.NewReader(content.Bytes())
	file, err := exchange.OpenContent(context.Background(), "pairs.npz", in, in.Size())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for _, member := range file.Members {
		fmt.Println(member.Name, member.Type, member.Shape)
	}
	// Output:
	// a float64 (3, 17)
	// u float64 (3, 17)
}
