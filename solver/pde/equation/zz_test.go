package equation

import "testing"

func TestZX(t *testing.T) {
	p := between("u_t = 0.1*u_xx", "u_x = -u^4", "u = 1", "x^2*(1-x)^2*tanh(a)+1", 1)
	u := solved(t, p).At(0)
	t.Log(u[0], u[1], u[64], (u[1]-u[0])*64)
	p = between("0 = u_xx + 0*a", "u_x = u^4", "u = 1", "", 1)
	u = solved(t, p).At(0)
	t.Log(u[0], u[1], u[64], (u[1]-u[0])*64, u[0]*u[0]*u[0]*u[0])
}
