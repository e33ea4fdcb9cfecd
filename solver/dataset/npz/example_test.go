package npz_test

import (
	"bytes"
	"fmt"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

func Example() {
	var file bytes.Buffer
	w := npz.NewWriter(&file)
	w.Array("alpha", npy.Array{Shape: []int{3}, Data: []float64{0.5, -1, 2}})
	w.File("meta.json", []byte(`{"format": 1}`))
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	r, err := npz.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()), "model.npz")
	if err != nil {
		fmt.Println(err)
		return
	}
	member, err := r.Array("alpha")
	if err != nil {
		fmt.Println(err)
		return
	}
	alpha, err := member.Array()
	fmt.Println(r.Arrays(), r.Files(), alpha.Data, err)
	_, err = r.Array("beta")
	fmt.Println(err)
	// Output:
	// [alpha] [meta.json] [0.5 -1 2] <nil>
	// model.npz: has no "beta.npy"; it has alpha.npy, meta.json; name one of these
}
