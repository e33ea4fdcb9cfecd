package store_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"rfm/config"
	"rfm/model/store"
	"rfm/solver/files"
)

// A stored product is found again, and damage to it is reported with its name.
func Example() {
	root, err := os.MkdirTemp("", "runs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	c, err := config.PresetByName("quick")
	if err != nil {
		panic(err)
	}
	d, err := store.Create(root, "first", c, nil, store.Program{Version: "v1.0.0"}, time.Now())
	if err != nil {
		panic(err)
	}
	defer d.Close()
	hello := files.File{Name: "errors.csv", Content: func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	}}
	if err := d.Put(func(m *store.Manifest) { m.Seconds[store.Generating] = 2 }, hello); err != nil {
		panic(err)
	}
	list, err := store.List(root)
	if err != nil {
		panic(err)
	}
	fmt.Println(list[0].Name, list[0].Manifest.Stages[store.Generating].State, list[0].M, "features, at work:",
		list[0].Holder != nil)

	if err := os.WriteFile(d.File("errors.csv"), []byte("hallo"), 0o644); err != nil {
		panic(err)
	}
	for _, fault := range store.Verify(d.Path()) {
		fmt.Println(filepath.Base(fault.Error()[:len(d.File("errors.csv"))]), "is damaged")
	}
	// Output:
	// first partial 512 features, at work: true
	// errors.csv is damaged
}
