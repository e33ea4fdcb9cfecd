// This file describes functions at points of any geometry for the script of a page.

package page

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// places holds the points of functions at points of any geometry. A function has a value for each point of inputs, if
// these are at points of their own, and for each point of outputs.
type places struct {
	Views   []view `json:"views"`   // the points of inputs and those of outputs, or of both
	Inputs  []int  `json:"inputs"`  // for each channel of inputs, the view in which it is drawn
	Output  int    `json:"output"`  // the view of outputs
	Weights string `json:"weights"` // of quadrature, of all values, in base64
}

// view is a part of the values of a function, with their places.
type view struct {
	From  int    `json:"from"` // the first of the values
	Count int    `json:"count"`
	Axes  int    `json:"axes"`
	At    string `json:"at"` // count x axes coordinates, in base64
	// Side is the number of pixels along an axis of the map of values in the plane or in space, from Low to High; 0: values
	// are drawn over their coordinate, or their number.
	Side    int        `json:"side"`
	Low     [2]float64 `json:"low"`
	High    [2]float64 `json:"high"`
	Nearest string     `json:"nearest"` // 1 + the point of each pixel, 0 outside, uint32 in base64
}

// pixels is the number of pixels along an axis of maps.
const pixels = 101

func viewOf(p points.Places, from int) view {
	v := view{
		From:  from,
		Count: p.Count(),
		Axes:  p.Axes,
		At:    encoded(p.At),
	}
	if p.Axes < 2 {
		return v
	}
	raster := points.NewRaster(p, pixels)
	v.Side = raster.Side
	v.Low = raster.Low
	v.High = raster.High
	var bytes []byte
	for _, point := range raster.Nearest {
		bytes = binary.LittleEndian.AppendUint32(bytes, uint32(point+1))
	}
	v.Nearest = base64.StdEncoding.EncodeToString(bytes)
	return v
}

// placesOf returns the points of functions of a domain for the script; nil for functions on grids.
func placesOf(domain grid.Domain, inputs grid.Batch) *places {
	cloud := domain.Cloud
	if !cloud.There() {
		return nil
	}
	p := &places{Weights: encoded(cloud.Weights())}
	if cloud.Apart() {
		p.Views = append(p.Views, viewOf(cloud.Inputs(), 0))
		p.Output = 1
	}
	p.Views = append(p.Views, viewOf(cloud.Outputs(), cloud.Before()))
	for c := range inputs.Domain.Width() {
		own := 0
		if cloud.Apart() && isZero(inputs.Channel(c), cloud) {
			own = p.Output
		}
		p.Inputs = append(p.Inputs, own)
	}
	return p
}

// isZero reports whether inputs of one channel are zero at the points of inputs: then they are known at those of outputs.
func isZero(channel grid.Batch, cloud points.Cloud) bool {
	for i := range channel.Count {
		if slices.ContainsFunc(cloud.OfInput(channel.At(i)), func(v float64) bool { return v != 0 }) {
			return false
		}
	}
	return true
}

// shown returns the values of a channel that a page shows; with places, those of the view.
func (p *places) shown(f []float64, of int) []float64 {
	if p == nil {
		return f
	}
	v := p.Views[of]
	return f[v.From : v.From+v.Count]
}

// input returns the view of a channel of inputs.
func (p *places) input(channel int) int {
	if p == nil {
		return 0
	}
	return p.Inputs[channel]
}

// output returns the view of outputs.
func (p *places) output() int {
	if p == nil {
		return 0
	}
	return p.Output
}

// isPlaceArray reports whether an array of a model file describes points, which a page has once.
func isPlaceArray(name string) bool {
	for _, end := range []string{"places", "place_weights", "place_cells", "input_weights", "input_cells"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
