// Package linalg contains the linear algebra of training: the packed symmetric rank-k update that sums a Gram matrix,
// and the solution of symmetric positive semidefinite systems by Cholesky or by one tridiagonalisation that serves
// every regularisation.
//
// Features are stored in panels of four (Panels). Symmetric.RankUpdate sums their Gram matrix; Symmetric.Leading copies
// the block of the first features. Factor solves one system; for several values of lambda or rcond, Decompose once and
// solve with the Spectral. Greedy selects the most useful columns.
//
// The hot kernels exist in assembly and in pure Go; package simd chooses. Results are a function of the arguments and
// of that choice alone: the number of workers never changes a bit.
package linalg
