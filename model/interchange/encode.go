// This file encodes arrays in the formats.

package interchange

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// encode returns the files of all arrays in a format.
func (c *content) encode(f Format) []file {
	var files []file
	for _, g := range c.groups {
		switch f {
		case NPZ:
			files = append(files, file{g.name + ".npz", g.npz})
		case JSON:
			files = append(files, file{g.name + ".json", g.json})
		default:
			for _, a := range g.arrays {
				write := a.csv
				if f == NPY {
					write = func(w io.Writer) error { return npy.Write(w, a.Array) }
				}
				files = append(files, file{a.name + "." + string(f), write})
			}
		}
	}
	return files
}

func (g group) npz(w io.Writer) error {
	archive := npz.NewWriter(w)
	for _, a := range g.arrays {
		if err := archive.Array(a.name, a.Array); err != nil {
			return err
		}
	}
	return archive.Close()
}

// csv writes a line for each index of the first axis. Fields have a comment with their indices above, by which package
// csv reads them again. Numbers have the digits that distinguish them from their neighbours.
func (a array) csv(w io.Writer) error {
	out := bufio.NewWriter(w)
	row := 1
	for _, n := range a.Shape[1:] {
		row *= n
	}
	if len(a.Shape) == 3 {
		for i := range row {
			fmt.Fprintf(out, "%s%s_%d_%d", map[bool]string{true: "# ", false: ","}[i == 0], a.name, i/a.Shape[2]+1, i%a.Shape[2]+1)
		}
		out.WriteString("\n")
	}
	var number []byte
	for i, v := range a.Data {
		end := byte(',')
		if i%row == row-1 {
			end = '\n'
		}
		number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
		out.Write(append(number, end)) // Flush reports the first failure
	}
	return out.Flush()
}

// json writes an object of nested lists.
func (g group) json(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString("{") // Flush reports the first failure
	for i, a := range g.arrays {
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(out, "\n%q: ", a.name)
		if !grid.Finite(a.Data...) {
			return &fault.Data{Where: a.name, What: "has values that are not finite, for which JSON has no form",
				Do: "choose another format"}
		}
		nested(out, a.Shape, a.Data)
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// nested writes the numbers of an array in C order as lists of lists.
func nested(out *bufio.Writer, shape []int, data []float64) {
	if len(shape) == 0 {
		var number [24]byte
		out.Write(strconv.AppendFloat(number[:0], data[0], 'g', -1, 64))
		return
	}
	out.WriteString("[")
	part := len(data) / max(1, shape[0])
	for i := range shape[0] {
		if i > 0 {
			out.WriteString(",")
		}
		nested(out, shape[1:], data[i*part:(i+1)*part])
	}
	out.WriteString("]")
}
