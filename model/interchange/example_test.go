package interchange_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/interchange"
)

func ExampleExport() {
	root, err := os.MkdirTemp("", "export")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	c, _ := config.PresetByName("quick")
	c.Data.Train, c.Data.Test, c.Features.Count, c.Data.Grid, c.Train.Grid = 8, 4, 4, 129, 33
	e, err := engine.Create(context.Background(), root, "small", c, time.Now(), engine.Options{})
	if err == nil {
		err = e.Run(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := interchange.Export(context.Background(), e.Directory(), filepath.Join(root, "out"),
		[]interchange.Format{interchange.NPZ})
	fmt.Println(r.Files, err)
	// Output:
	// [README.txt data.npz errors.csv experiment.toml model.npz predictions.npz report.json report.md rfm.py solution.npz] <nil>
}
