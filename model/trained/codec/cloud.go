package codec

import (
	"bytes"
	"io"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/space/points"
)

// cloud holds the points of functions at points of any geometry, in the form of files: those of outputs, and those of
// inputs that are known at points of their own.
type cloud struct {
	Places       *mat.Dense `json:"places,omitempty" shape:"out_points axes"`
	PlaceWeights []float64  `json:"place_weights,omitempty" shape:"out_points"` // nil: functions are on a grid
	PlaceCells   *mat.Dense `json:"place_cells,omitempty" shape:"out_cells corners"`
	OwnPlaces    *mat.Dense `json:"input_places,omitempty" shape:"in_points in_axes"`
	OwnWeights   []float64  `json:"input_weights,omitempty" shape:"in_points"`
	OwnCells     *mat.Dense `json:"input_cells,omitempty" shape:"in_cells in_corners"`
}

func cloudOf(c points.Cloud) (files cloud) {
	if !c.There() {
		return files
	}
	out := c.Outputs()
	files.PlaceWeights = out.Weights
	files.Places, files.PlaceCells = matrices(out)
	if c.Apart() {
		in := c.Inputs()
		files.OwnWeights = in.Weights
		files.OwnPlaces, files.OwnCells = matrices(in)
	}
	return files
}

// matrices returns the coordinates and the cells of points; nil if there are none.
func matrices(p points.Places) (places, cells *mat.Dense) {
	if p.Axes > 0 {
		places = mat.NewDense(p.Count(), p.Axes, p.At)
	}
	if len(p.Cells) > 0 {
		cells = mat.NewDense(len(p.Cells)/p.Corners, p.Corners, nil)
		for i, point := range p.Cells {
			cells.Set(i/p.Corners, i%p.Corners, float64(point))
		}
	}
	return places, cells
}

// cloud returns the points. The error is a *fault.Data if there are no such points.
func (c cloud) cloud() (points.Cloud, error) {
	if c.PlaceWeights == nil {
		return points.Cloud{}, nil
	}
	out, err := placesOf(c.PlaceWeights, c.Places, c.PlaceCells)
	if err != nil || c.OwnWeights == nil {
		return points.New(nil, out), err
	}
	in, err := placesOf(c.OwnWeights, c.OwnPlaces, c.OwnCells)
	if err != nil {
		return points.Cloud{}, err
	}
	return points.New(&in, out), nil
}

func placesOf(weights []float64, places, cells *mat.Dense) (points.Places, error) {
	p := points.Places{Weights: weights}
	if places != nil {
		p.At = places.RawMatrix().Data
		_, p.Axes = places.Dims()
	}
	if cells != nil {
		_, p.Corners = cells.Dims()
		for _, point := range cells.RawMatrix().Data {
			if !(point >= 0) || point >= float64(len(weights)) {
				return p, Bad("has a cell with the corner %g of %d points", point, len(weights))
			}
			p.Cells = append(p.Cells, int(point))
		}
	}
	if wrong := p.Check(); wrong != "" {
		return p, Bad("has points of which %s", wrong)
	}
	return p, nil
}

// WriteCloud writes points of any geometry as an .npz file.
func WriteCloud(w io.Writer, c points.Cloud) error {
	files := cloudOf(c)
	archive := npz.NewWriter(w)
	write := func(name string, a npy.Array) error {
		if len(a.Data) == 0 {
			return nil
		}
		return archive.Array(name, a)
	}
	matrix := func(m *mat.Dense) npy.Array {
		if m == nil {
			return npy.Array{}
		}
		rows, columns := m.Dims()
		return npy.Array{Shape: npy.Shape{rows, columns}, Data: m.RawMatrix().Data}
	}
	vector := func(v []float64) npy.Array {
		return npy.Array{Shape: npy.Shape{len(v)}, Data: v}
	}
	all := []npy.Named{
		{Name: "places", Array: matrix(files.Places)},
		{Name: "place_weights", Array: vector(files.PlaceWeights)},
		{Name: "place_cells", Array: matrix(files.PlaceCells)},
		{Name: "input_places", Array: matrix(files.OwnPlaces)},
		{Name: "input_weights", Array: vector(files.OwnWeights)},
		{Name: "input_cells", Array: matrix(files.OwnCells)},
	}
	for _, a := range all {
		err := write(a.Name, a.Array)
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// ReadCloud reads what WriteCloud wrote. The error is a *fault.Data.
func ReadCloud(content []byte, where string) (points.Cloud, error) {
	archive, err := npz.NewReader(bytes.NewReader(content), int64(len(content)), where)
	if err != nil {
		return points.Cloud{}, err
	}
	files := cloud{}
	for _, name := range archive.Arrays {
		header, err := archive.Array(name)
		if err != nil {
			return points.Cloud{}, err
		}
		a, err := header.Array()
		if err != nil {
			return points.Cloud{}, err
		}
		matrix := func() *mat.Dense {
			if len(a.Shape) != 2 || len(a.Data) == 0 {
				return nil
			}
			return mat.NewDense(a.Shape[0], a.Shape[1], a.Data)
		}
		switch name {
		case "places":
			files.Places = matrix()
		case "place_weights":
			files.PlaceWeights = a.Data
		case "place_cells":
			files.PlaceCells = matrix()
		case "input_places":
			files.OwnPlaces = matrix()
		case "input_weights":
			files.OwnWeights = a.Data
		case "input_cells":
			files.OwnCells = matrix()
		}
	}
	return files.cloud()
}
