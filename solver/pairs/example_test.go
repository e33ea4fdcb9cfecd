package pairs_test

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// A file with arrays a and u, one function a row, needs no description: Find infers it, Pairs reads some rows.
func ExampleFind() {
	const count, points = 4, 33
	inputs := make([]float64, count*points)
	outputs := make([]float64, count*points)
	for i := range inputs {
		row, point := i/points, i%points
		inputs[i] = float64(row+1) * math.Cos(math.Pi*float64(point)/(points-1))
		outputs[i] = 2 * inputs[i]
	}
	var content bytes.Buffer
	archive := npz.NewWriter(&content)
	for name, data := range map[string][]float64{"a": inputs, "u": outputs} {
		if err := archive.Array(name, npy.Array{Shape: []int{count, points}, Data: data}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := archive.Close(); err != nil {
		fmt.Println(err)
		return
	}
	in := bytes.NewReader(content.Bytes())
	file, err := exchange.OpenContent(context.Background(), "own.npz", in, in.Size())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()

	found, err := pairs.Find(pairs.Source{File: "own.npz", Open: file, Domain: grid.Interval, Endpoint: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	some, err := found.Pairs([]int{1, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d pairs in the file on %d points, %d read; the output is %v times the input\n", found.Count, found.Grid,
		some.Count(), some.Outputs.At(0)[0]/some.Inputs.At(0)[0])
	// Output:
	// 4 pairs in the file on 33 points, 2 read; the output is 2 times the input
}
