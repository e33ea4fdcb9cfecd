package golden

import "rfm/solver/dataset/npy"

// Darcy returns one array of darcy_small, every intermediate result of a small Darcy experiment on the closed grid of
// 17 x 17 points, h = 1/16, with n = 4 training inputs, 2 test inputs, m = 6 predictor-corrector features and lambda =
// 1e-8. The last two indices of a field are i and j, x_1 = i h, x_2 = j h.
//
// Two choices differ from the program's defaults on purpose. Modes with exactly one zero index have the weight sqrt2,
// as in the formula of the paper. The source f = 1 + x_1/2 - x_2^2/4 is not constant, to detect exchanged axes.
//
//	grf_xi                          (17, 17)        Karhunen-Loeve coefficients xi[k1, k2] of a field with tau = 3, alpha = 2
//	grf_g_paper, grf_g_axis2        (17, 17)        the field with axis weight sqrt2 and 2
//	grf_g_paper_r33                 (33, 33)        the same modes on a finer grid
//	grf_g_authors                   (17, 17)        the draw of the authors' program, which differs: a spline through cell centres
//	grf_a                           (17, 17)        12 where grf_g_paper > 0, else 3
//	a, a_test                       (4|2, 17, 17)   permeabilities
//	f                               (17, 17)        source
//	theta_xi, theta                 (6, 2, 17, 17)  coefficients and values of theta_1, theta_2, tau = 7.5, alpha = 2
//	sigma_theta1                    (6, 17, 17)     sigma(theta_1), s+ = 1/12, s- = -1/3, delta = 0.15
//	a_eps, a_eps34                  (4, 17, 17)     a after 33 (used) and 34 explicit Euler steps, dt = 0.03, eta = 1e-4
//	glog0, glog1                    (4, 15, 15)     central differences of log a_eps along x_1 and x_2 at interior points
//	S1, S2                          (6, 17, 17)     P sigma(theta_1), P sigma(theta_2), P = (-Laplacian_h)^-1
//	B                               (4, 17, 17)     P[f/a + grad log a_eps . grad P[f/a]]
//	phi                             (4, 6, 17, 17)  features phi(a_i; theta_j)
//	phi_f1                          (17, 17)        phi(a_0; theta_0) with f = 1
//	u_arith, u_harm                 (4, 17, 17)     solutions with arithmetic and harmonic means at the faces
//	u_arith_f1                      (17, 17)        arithmetic solution for a_0 with f = 1
//	u_test                          (2, 17, 17)     arithmetic solutions for a_test
//	gram, rhs, alpha                (6, 6), (6)     normal equations with u_arith as outputs, and their solution
//	pred_train, pred_test           (4|2, 17, 17)   predictions
//	relerr_train, relerr_test       (4), (2)        relative L2 errors
//	bochner_test                    (1)             Bochner error
//	abar, S1bar, S2bar              (1), (17, 17)   mean of alpha, (1/m) sum_j alpha_j S1_j and S2_j
//	poisson_rhs, poisson_sol        (17, 17)        a right-hand side and P of it
//
// The generating program agrees with the authors' program to 1e-13 wherever the definitions agree. Darcy panics on an
// unknown name, since the data are part of the program.
func Darcy(name string) npy.Array { return Read(files, "darcy_small/"+name+".npy") }
