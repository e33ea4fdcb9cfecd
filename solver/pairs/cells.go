// This file reads the cells of points.

package pairs

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// isCells reports whether an array has a name of cells: one of cellNames, that of UGRID, as Mesh2_face_nodes, or that of
// MATLAB's PDE toolbox beside the points p.
func isCells(m npy.Member, members []npy.Member) bool {
	isUGRID := has(m.Name, []string{"face"}) && has(m.Name, []string{"nodes"})
	return has(m.Name, cellNames) || isUGRID || isToolboxCells(m, members)
}

// isToolboxCells reports whether an array is t of MATLAB's PDE toolbox: for each triangle, or tetrahedron, in a column its
// corners and the number of its part of the domain.
func isToolboxCells(m npy.Member, members []npy.Member) bool {
	axes := axesOfToolbox(members)
	return axes > 0 && isCalled(m, "t") && len(m.Shape) == 2 && m.Shape[0] == axes+2
}

// axesOfToolbox returns the number of coordinates of the points p of MATLAB's PDE toolbox, 2 or 3, each of which has a row;
// 0 if there are no such points.
func axesOfToolbox(members []npy.Member) int {
	for _, m := range members {
		if !isCalled(m, "p") || len(m.Shape) != 2 {
			continue
		}
		axes := m.Shape[0]
		isT := func(m npy.Member) bool {
			return isCalled(m, "t") && len(m.Shape) == 2 && m.Shape[0] == axes+2 && m.Shape[1] > axes+2
		}
		isSpace := axes == 2 || axes == points.MostAxes
		if isSpace && m.Shape[1] >= leastPoints && slices.ContainsFunc(members, isT) {
			return axes
		}
	}
	return 0
}

// cellList is the cells of one array: numbers of points from 0 on, in rows of so many corners.
type cellList struct {
	corners int
	rows    []int // cells x corners
}

// cells reads the cells of points if the file has some: triangles and quadrilaterals, which become two triangles, or
// tetrahedra of points in space. Numbers of points are counted from 0 or 1 on. Tetrahedra make triangles beside them
// superfluous, which are those of the boundary. how tells which arrays are used, and which are not and why.
func (f *Functions) cells(p points.Places) (corners int, cells []int, how string, err error) {
	var names, refused []string
	for _, m := range f.Open.Members {
		if len(m.Shape) != 2 || !m.Readable() || !isCells(m, f.Open.Members) {
			continue
		}
		array, err := m.Array()
		if err != nil {
			return 0, nil, "", err
		}
		if slices.Min(m.Shape) < 3 { // segments of the boundary, or single points
			continue
		}
		list, wrong := cellsIn(array, isToolboxCells(m, f.Open.Members), p.Count())
		if wrong != "" {
			refused = append(refused, fmt.Sprintf("%s is not used as cells, because %s", WithShape(m), wrong))
			continue
		}
		list = list.simple(p, m.Name)
		switch {
		case corners == 4 && list.corners == 3:
			continue
		case corners == 3 && list.corners == 4:
			cells = nil
			names = nil
		}
		corners = list.corners
		cells = append(cells, list.rows...)
		names = append(names, WithShape(m))
	}
	if names != nil {
		how = ", cells of " + strings.Join(names, " and ")
	}
	if refused != nil {
		how += ", " + strings.Join(refused, ", ")
	}
	return corners, cells, how, nil
}

// cellsIn returns the cells in an array with a cell in each row or, as in MATLAB, in each column. wrong tells why it has
// none. The last number of a cell of the toolbox is left out.
func cellsIn(array npy.Array, isToolbox bool, count int) (list cellList, wrong string) {
	const mostCorners = 6 // of a triangle with points in the middle of its sides
	rows := array.Shape[0]
	columns := array.Shape[1]
	inColumns := columns > mostCorners && rows <= mostCorners
	if inColumns {
		rows, columns = columns, rows
	}
	number := func(row, corner int) float64 {
		if inColumns {
			return array.Data[corner*rows+row]
		}
		return array.Data[row*columns+corner]
	}
	list.corners = columns
	if isToolbox {
		list.corners--
	}
	switch list.corners {
	case 3, 4, mostCorners:
	default:
		return list, fmt.Sprintf("cells have %d corners, want 3, 4, or 6 with the middles of the sides", list.corners)
	}
	first := number(0, 0)
	last := first
	for row := range rows {
		for corner := range list.corners {
			first = min(first, number(row, corner))
			last = max(last, number(row, corner))
		}
	}
	isFirst := first == 0 || first == 1
	if !isFirst || int(last-first) >= count {
		return list, fmt.Sprintf("it has numbers from %g to %g, want those of %d points, counted from 0 or 1", first, last, count)
	}
	for row := range rows {
		for corner := range list.corners {
			list.rows = append(list.rows, int(number(row, corner)-first))
		}
	}
	return list, ""
}

// simple returns the cells as triangles or tetrahedra. Four corners in space are those of a tetrahedron if the name says
// so, or unless they lie about in one plane.
func (l cellList) simple(p points.Places, name string) cellList {
	isSolid := l.corners == 4 && p.Axes == points.MostAxes && !has(name, []string{"quad", "quads"})
	if isSolid && (has(name, []string{"tetra", "tetrahedra", "tets"}) || l.areSolid(p)) {
		return l
	}
	triangles := cellList{corners: 3}
	for cell := range slices.Chunk(l.rows, l.corners) {
		switch l.corners {
		case 3:
			triangles.rows = append(triangles.rows, cell...)
		case 4:
			triangles.rows = append(triangles.rows,
				cell[0], cell[1], cell[2],
				cell[0], cell[2], cell[3],
			)
		default: // corners, then the middles of the sides between the first and the second, and so on
			triangles.rows = append(triangles.rows,
				cell[0], cell[3], cell[5],
				cell[3], cell[1], cell[4],
				cell[5], cell[4], cell[2],
				cell[3], cell[4], cell[5],
			)
		}
	}
	return triangles
}

// areSolid reports whether most cells with four corners have a volume.
func (l cellList) areSolid(p points.Places) bool {
	const flat = 0.01 // volume of a cell in that of a cube with its longest side; a regular tetrahedron has 0.12
	solid := 0
	for cell := range slices.Chunk(l.rows, l.corners) {
		volume, side := p.Extent(cell)
		if volume > flat*side*side*side {
			solid++
		}
	}
	return 2*solid*l.corners > len(l.rows)
}
