// Package golden holds reference data that an independent NumPy program computed, small enough to travel in the binary:
// the tests compare with them, and so can a user who wants to know whether a build is sound.
//
// burgers_small is a whole Burgers experiment at K = 65 with n = 12, m = 24 and 8 test inputs (rows 0 to 11 train,
// rows 12 to 19 test), nu = 1e-2, T = 1:
//
//	kl_cos_a, kl_sin_a, kl_cos_theta, kl_sin_theta   Karhunen-Loeve coefficients, modes 1 to 96
//	a_fine, u_fine_T1, u_fine_T05                    first 4 inputs and solutions on K = 1025, error below 1e-12
//	a, u, theta                                      functions on K = 65, one a row
//	features_first4                                  phi(a_i; theta_j) for i < 4
//	gram, rhs, alpha_lambda0, alpha_lambda1e3        normal equations and solutions for lambda = 0 and 1e-3
//	pred_test                                        predictions for lambda = 0
//	errors                                           train, train Bochner, test, test Bochner for lambda = 0; test, test Bochner for 1e-3
//
// The program that made them reproduces the stored sums of the paper's authors to 1e-12 and their errors to 9 digits.
package golden

import (
	"bytes"
	"embed"
	"fmt"

	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

//go:embed burgers_small/*.npy
var files embed.FS

// Burgers is one array of burgers_small. It panics on a name that is not there: the data are part of the program.
func Burgers(name string) npy.Array { return read(files, "burgers_small/"+name+".npy") }

// read decodes an embedded array.
func read(files embed.FS, name string) npy.Array {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("golden: %v", err))
	}
	a, err := npy.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		panic(fmt.Sprintf("golden: %s: %v", name, err))
	}
	return a
}

// BurgersBatch is an array of burgers_small whose rows are functions.
func BurgersBatch(name string) grid.Batch {
	a := Burgers(name)
	return grid.BatchOf(grid.Torus, a.Shape[1], a.Data)
}

// BurgersRows is an array of burgers_small as a slice of rows.
func BurgersRows(name string) [][]float64 {
	b := BurgersBatch(name)
	rows := make([][]float64, b.Count)
	for i := range rows {
		rows[i] = b.At(i)
	}
	return rows
}
