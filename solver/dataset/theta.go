// This file reads parameters of random features from files.

package dataset

import (
	"context"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// ReadTheta reads the first count feature parameters in [..., 0] of a .npy file of the authors' layout (K, m, 2), for
// dims 1, or (theta_1, theta_2) in [..., 0] and [..., 1] of (r, r, m, 2). Errors are ctx.Err() and *fault.Data: not
// readable, another shape, fewer parameters, values that are not finite or not periodic.
func ReadTheta(ctx context.Context, name string, count, dims int) (theta [2]grid.Batch, err error) {
	file, err := files.Open(name)
	if err != nil {
		return theta, &fault.Data{
			Where: name,
			What:  "cannot be opened",
			Err:   err,
			Do:    "check the name",
		}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return theta, fault.Unread(name, err)
	}
	content := npy.Whole(npy.Until(ctx, file), info.Size())
	m, err := npy.MemberOf("", name, content)
	if err != nil || len(m.Shape) != dims+2 || m.Shape[dims+1] != 2 {
		shape := "(K, count, 2)"
		if dims == 2 {
			shape = "(r, r, count, 2)"
		}
		return theta, fault.Bad(
			name,
			"save them with numpy.save",
			"is not one array of feature parameters, of shape %s", shape,
		)
	}
	points := m.Shape[0]
	there := m.Shape[dims]
	if dims == 2 && m.Shape[1] != points || points < 3 {
		return theta, fault.Bad(name, "give parameters on a square grid", "has parameters of shape %v", m.Shape)
	}
	if there < count {
		return theta, fault.Bad(name, "lower features.count", "has %d functions, want %d", there, count)
	}
	domain := grid.Torus
	if dims == 2 {
		domain = grid.Square
	}
	for side := range dims {
		theta[side] = grid.NewBatch(domain, points, count)
		values := theta[side].Values()
		at := npy.Along(make([]int, dims+2)...)
		at[0] = func(i int) int { return i * values / points }
		if dims == 2 {
			at[1] = func(j int) int { return j }
		}
		at[dims] = func(i int) int {
			if i >= count {
				return -1
			}
			return i * values
		}
		at[dims+1] = npy.Along(1)[0].Of(side, 1, 1)
		data := theta[side].Data
		if err := m.Read(data, at, len(data)); err != nil {
			return theta, err
		}
		if err := theta[side].CheckFinite(name+", input", nil); err != nil {
			return theta, err
		}
		if err := theta[side].CheckPeriodic(name+", input", nil); err != nil {
			return theta, err
		}
	}
	return theta, nil
}
