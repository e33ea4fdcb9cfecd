package equation

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/pythontest"
)

// scipyPetrov solves u_t = rate(u, u_x, u_xx, u_xxx) on [0, L] by a dual Petrov-Galerkin method (J. Shen, SIAM Journal on Numerical
// Analysis 41 (2003)), in which test functions satisfy the adjoint conditions, and SciPy's Radau. Conditions are given as (end,
// factors by order), with the values of the first one in t. Cahn-Hilliard's equation is solved in the mixed form, with the chemical
// potential as a second unknown, which conserves the mass.
const scipyPetrov = `
import json
import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp
from scipy.linalg import null_space
def functions(n, L):
    E = np.eye(n)*np.sqrt(2*np.arange(n) + 1.0)
    return lambda z, k: np.array([legendre.legval(z, legendre.legder(e, k) if k else e) for e in E]).T*(2/L)**k
def radau(f, T, v):
    e = 1e-6*np.eye(len(v))
    jac = lambda t, v: np.array([(f(t, v + d) - f(t, v - d))/2e-6 for d in e]).T
    return solve_ivp(f, (0, T), v, method='Radau', rtol=1e-9, atol=1e-12, jac=jac).y[:, -1]
def petrov(n, L, T, conditions, adjoint, initial, rate, value=lambda t: 0.0):
    P = functions(n, L)
    q, w = legendre.leggauss(2*n); w = w/2; x = (q + 1)*L/2
    V = [P(q, k) for k in range(4)]
    def rows(list):
        r = np.array([sum(c*P(np.array([1.0 if right else -1.0]), k)[0] for k, c in enumerate(factors)) for right, factors in list])
        return r/np.linalg.norm(r, axis=1)[:, None], np.linalg.norm(r, axis=1)
    B, sizes = rows(conditions)
    trial = null_space(B); test = null_space(rows(adjoint)[0])
    lift = np.zeros(n); lift[:6] = np.linalg.lstsq(B[:, :6], np.eye(len(B))[0]/sizes[0], rcond=None)[0]
    inverse = np.linalg.inv(test.T@trial)@test.T
    slope = lambda t: (value(t + 1e-5) - value(t - 1e-5))/2e-5
    def f(t, v):
        a = trial@v + lift*value(t)
        return inverse@(V[0].T@(w*rate(*[D@a for D in V])) - lift*slope(t))
    v = radau(f, T, inverse@(V[0].T@(w*initial(x)) - lift*value(0)))
    return (P(np.linspace(-1, 1, 33), 0)@(trial@v + lift*value(T))).tolist()
def separation(n, T, gap, initial): # u = 1 at the left; no slope of u at the right, none of m at both ends
    P = functions(n, 1)
    q, w = legendre.leggauss(3*n); w = w/2; x = (q + 1)/2
    V, S = P(q, 0), P(q, 1); K = S.T@(w[:, None]*S)
    row = P(np.array([-1.0]), 0)
    Z = null_space(row); normal = null_space(Z.T); lift = np.linalg.pinv(row)[:, 0]
    def f(t, v):
        a = lift + Z@v; u = V@a
        m = Z@(Z.T@(V.T@(w*(u**3 - u)) + gap*(K@a)))
        free = np.linalg.solve(normal.T@K@normal, normal.T@(K@m))
        return -Z.T@(K@(m - normal@free))
    v = radau(f, T, Z.T@(V.T@(w*initial(x)) - lift))
    return (P(np.linspace(-1, 1, 33), 0)@(lift + Z@v)).tolist()
left, right = False, True
kdv = ([(left, [1]), (right, [1]), (right, [0, 1])], [(left, [1]), (left, [0, 1]), (right, [1])])
bent = ([(left, [0, 0, 1]), (right, [1]), (right, [0, 1])], [(left, [0, 1]), (left, [0, 0, 1]), (right, [1])])
bump = lambda x: 256*x**4*(1 - x)**4
print(json.dumps([
    petrov(44, 1, 0.1, *kdv, bump, lambda u, p, r, s: -u*p - 0.01*s),
    petrov(48, 1, 0.02, *kdv, lambda x: 20*x*(1 - x)**2, lambda u, p, r, s: -6*u*p - s),
    petrov(40, 1, 0.6, *kdv, lambda x: 0*x, lambda u, p, r, s: -u*p - 0.02*s, lambda t: np.sin(3*t)**3),
    petrov(44, 1, 0.1, *bent, bump, lambda u, p, r, s: -u*p - 0.01*s),
    separation(36, 0.004, 0.01, lambda x: 1 - x**4*(1 - x)**4*200),
]))
`

// Equations between ends with modes that are no eigenfunctions agree with a method of another kind: Korteweg-de Vries with weak and
// strong steepening, a wave maker and a free bend, and Cahn-Hilliard between a wall that holds one phase and one that holds none.
func TestSciPyAgreesOnDispersionAndSeparation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	const bump = "256*x^4*(1 - x)^4"
	problems := []Problem{
		between("u_t = -u*u_x - 0.01*u_xxx", "u = 0", "u = 0; u_x = 0", bump, 0.1),
		between("u_t = -6*u*u_x - u_xxx", "u = 0", "u = 0; u_x = 0", "20*x*(1 - x)^2", 0.02),
		between("u_t = -u*u_x - 0.02*u_xxx", "u = sin(3*t)^3", "u = 0; u_x = 0", "0*x", 0.6),
		between("u_t = -u*u_x - 0.01*u_xxx", "u_xx = 0", "u = 0; u_x = 0", bump, 0.1),
		between("u_t = m_xx; m = u^3 - u - 0.01*u_xx", "u = 1; m_x = 0", "u_x = 0; m_x = 0", "1 - 200*x^4*(1 - x)^4", 0.004),
	}
	var all [][]float64
	noError(t, json.Unmarshal([]byte(pythontest.Run(t, t.TempDir(), strings.TrimSpace(scipyPetrov))), &all))
	for i, p := range problems {
		p.Points = 33
		p.Tolerance = 1e-7
		u := solved(t, p).At(0)
		d := floats.Distance(u, all[i], 2) / floats.Norm(all[i], 2)
		t.Logf("%s, %s: %.2g", p.Text, p.Left, d)
		if !(d < 1e-6) {
			t.Errorf("%s, %s differs from SciPy by %.2g", p.Text, p.Left, d)
		}
	}
}
