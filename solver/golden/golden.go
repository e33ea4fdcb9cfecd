// Package golden holds reference data of an independent NumPy program. The binary embeds a part of them, so that users
// can verify a build. Package goldentest has all of them.
//
// burgers_small is a complete Burgers experiment at K = 65 with n = 12, m = 24 and 8 test inputs (rows 0 to 11 train,
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
// The generating program reproduces the stored sums of the paper's authors to 1e-12 and their errors to 9 digits.
package golden

import (
	"embed"
	"fmt"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

//go:embed burgers_small/*.npy darcy_small/*.npy
var files embed.FS

// Burgers returns one array of burgers_small. It panics on an unknown name, since the data are part of the program.
func Burgers(name string) npy.Array { return Read(files, "burgers_small/"+name+".npy") }

// Read decodes an embedded array; it panics on failure.
func Read(files embed.FS, name string) npy.Array {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("golden: %v", err))
	}
	a, err := npy.Read(text)
	if err != nil {
		panic(fmt.Sprintf("golden: %s: %v", name, err))
	}
	return a
}

// Functions returns a batch of the rows of an array, which are periodic functions.
func Functions(a npy.Array) grid.Batch { return grid.BatchOf(grid.Torus, a.Shape[1], a.Data) }
