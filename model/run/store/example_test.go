package store_test

import (
	"context"
	"fmt"
	"io"
	"os"

	"rfm/config"
	"rfm/model/run/store"
)

// A run is a directory that appears with its first files. Units are parts of its arrays that appear whole: Do makes those
// that are missing, so that a second process, or the same one after a kill, has nothing to do again.
func Example() {
	ctx := context.Background()
	root, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	run, _, err := store.Begin(ctx, root, "example", true, config.Reference(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()

	made := 0
	unit := store.Unit{
		Name: store.RowsName(store.TrainFile, 0, 2),
		Make: func(context.Context) (func(io.Writer) error, error) {
			made++
			return func(w io.Writer) error {
				_, err := io.WriteString(w, "the rows")
				return err
			}, nil
		},
	}
	for range 2 {
		if err := run.Units().Do(ctx, []store.Unit{unit}, store.Workers{}); err != nil {
			fmt.Println(err)
			return
		}
	}
	stored, err := run.Units().List()
	fmt.Println(made, stored[0].Name, err)
	// Output:
	// 1 train-000000000+000000002 <nil>
}
