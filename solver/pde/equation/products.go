// This file multiplies matrices by the kernels of training, which are much faster than those of gonum.

package equation

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// matrixProducts returns the products of a matrix with others. Tables of many functions take most of their time here.
func matrixProducts(left *mat.Dense, others ...*mat.Dense) (products []*mat.Dense) {
	transposed := linalg.TransposeOf(left.RawMatrix())
	for _, right := range others {
		products = append(products, panelProduct(transposed, right))
	}
	return products
}

// matrixProduct returns the product of two matrices.
func matrixProduct(left, right *mat.Dense) *mat.Dense { return matrixProducts(left, right)[0] }

// transposedProduct returns the product of the transpose of a matrix with another.
func transposedProduct(left, right *mat.Dense) *mat.Dense {
	return panelProduct(linalg.PanelsOf(left.RawMatrix()), right)
}

// panelProduct returns the product of the transpose of panels with a matrix.
func panelProduct(left *linalg.Panels, right *mat.Dense) *mat.Dense {
	r, err := linalg.Product(context.Background(), left, linalg.PanelsOf(right.RawMatrix()), 1)
	if err != nil {
		panic("equation: a product without a deadline ended: " + err.Error())
	}
	rows := left.Cols()
	_, columns := right.Dims()
	product := mat.NewDense(rows, columns, nil)
	for i := range rows {
		copy(product.RawRowView(i), r.Row(i))
	}
	return product
}
