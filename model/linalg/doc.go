// Package linalg holds the linear algebra of training: the packed symmetric
// rank-k update that sums a Gram matrix, and the solution of symmetric positive
// semidefinite systems by Cholesky or by one tridiagonalisation that serves every
// regularisation.
//
// Features live in panels of four (Panels). Symmetric.RankUpdate sums their Gram
// matrix; Symmetric.Leading takes the block of the first features. One system is
// solved by Factor; for several values of lambda or rcond, Decompose
// once and solve with the Spectral. LeaveOut says what every lambda is worth on rows
// that are left out, and Greedy which columns are worth most.
//
// The hot kernels exist in assembly and in pure Go; package simd chooses. Results
// are a function of the arguments and of that choice alone: the number of workers
// never changes a bit.
package linalg
