package equation

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"rfm/solver/pythontest"
)

// scipy solves an equation on the unit torus with SciPy, on the same grid, from a right-hand side written by hand.
const scipy = `
import json, sys
import numpy as np
from scipy.integrate import solve_ivp
N, T = 64, %g
x = np.arange(N)/N
k = 2j*np.pi*np.fft.fftfreq(N, 1/N)
k[N//2] = 0
D = lambda u, n=1: np.fft.ifft(k**n*np.fft.fft(u)).real
f = lambda u: %s
def rhs(t, v):
    return np.concatenate(f(v.reshape(-1, N)))
u0 = np.array([0.3*np.sin(2*np.pi*x) + 0.2*np.cos(4*np.pi*x + j) for j in range(%d)])
s = solve_ivp(rhs, (0, T), u0.ravel(), method="DOP853", rtol=1e-11, atol=1e-12)
print(json.dumps(s.y[:, -1].reshape(-1, N).tolist()))
`

func TestSciPyAgrees(t *testing.T) {
	for _, c := range []struct {
		lines []string
		rhs   string
		time  float64
	}{
		{[]string{"u_t = 0.02*u_xx - u*u_x"}, "[0.02*D(u[0],2) - u[0]*D(u[0])]", 0.5},
		{[]string{"u_t = -u*u_x - 0.0005*u_xxx"}, "[-u[0]*D(u[0]) - 0.0005*D(u[0],3)]", 0.2},
		{[]string{"u_t = -u*u_x - 0.01*u_xx - 0.0001*u_xxxx"}, "[-u[0]*D(u[0]) - 0.01*D(u[0],2) - 0.0001*D(u[0],4)]", 0.3},
		{[]string{"u_t = -0.01*v_xx - (u^2+v^2)*v", "v_t = 0.01*u_xx + (u^2+v^2)*u"},
			"[-0.01*D(u[1],2) - (u[0]**2+u[1]**2)*u[1], 0.01*D(u[0],2) + (u[0]**2+u[1]**2)*u[0]]", 0.5},
		{[]string{"u_t = 0.01*u_xx + u - u^3/3 - v", "v_t = 0.08*(u + 0.7 - 0.8*v)"},
			"[0.01*D(u[0],2) + u[0] - u[0]**3/3 - u[1], 0.08*(u[0] + 0.7 - 0.8*u[1])]", 2},
		{[]string{"u_t = 0.0004*u_xx - u*v^2 + 0.04*(1 - u)", "v_t = 0.0002*v_xx + u*v^2 - 0.1*v"},
			"[0.0004*D(u[0],2) - u[0]*u[1]**2 + 0.04*(1 - u[0]), 0.0002*D(u[1],2) + u[0]*u[1]**2 - 0.1*u[1]]", 5},
		{[]string{"u_t = v", "v_t = 0.1*u_xx - sin(u)"}, "[u[1], 0.1*D(u[0],2) - np.sin(u[0])]", 1},
		{[]string{"u_t = dx((0.02 + 0.01*u^2)*u_x)"}, "[D((0.02 + 0.01*u[0]**2)*D(u[0]))]", 0.3},
		{[]string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x + 0.01*u_xx"}, "[-(1 + 0.5*np.sin(2*np.pi*x))*D(u[0]) + 0.01*D(u[0],2)]",
			0.3},
	} {
		s := solver(t, parsed(t, 1, nil, c.lines...), 64, 1, 1e-10)
		u, _ := solve(t, s, c.time, func(f, _ int, x [2]float64) float64 {
			return 0.3*math.Sin(2*math.Pi*x[0]) + 0.2*math.Cos(4*math.Pi*x[0]+float64(f))
		})
		var want [][]float64
		out := pythontest.Run(t, t.TempDir(), fmt.Sprintf(scipy, c.time, c.rhs, len(c.lines)))
		if err := json.Unmarshal([]byte(out), &want); err != nil {
			t.Fatal(err)
		}
		d, n := 0.0, 0.0
		for f := range want {
			for p, v := range want[f] {
				d += math.Pow(v-u[f][block*p], 2)
				n += v * v
			}
		}
		t.Logf("%q: %.2g", c.lines, math.Sqrt(d/n))
		if !(math.Sqrt(d/n) < 1e-8) {
			t.Errorf("%q differs from SciPy by %.2g", c.lines, math.Sqrt(d/n))
		}
	}
}
