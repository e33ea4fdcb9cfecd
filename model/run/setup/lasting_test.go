package setup

import (
	"slices"
	"testing"

	"rfm/config"
)

// Equations whose solutions end with the settings that are assumed get others, unless these are given.
func TestTypedEquationsGetSettingsWithWhichTheyLast(t *testing.T) {
	for _, c := range []struct {
		text, left, right string
		given             string
		want              string // the key that changes; none: the equation needs no change, or has no way
	}{
		{text: "u_t = 0.01*u_xx - u*u_x"},
		{text: "u_t = u_xx", want: "equation.time"},
		{text: "u_t = u_xx", given: "equation.time"},
		{text: "u_t = -u*u_x - u_xxx", want: "equation.time"},
		{text: "u_t = dxx(u^2)", want: "equation.initial"},
		{text: "u_t = dxx(u^4) + dx(u^3)", left: "u_x = 0", right: "u_x = 0", want: "equation.initial"},
		{text: "u_t = dxx(u^2)", left: "u = 0", right: "u = 0"}, // no initial values are positive and vanish at the ends
		{text: "u_t = dxx(u^2)", left: "u = 0.1", right: "u = 0.1", want: "equation.initial"},
		{text: "u_t = -u_x", left: "u = 0", want: "equation.time"},
		{text: "u_tt = -u_xxxx", left: "u = 0; u_x = 0", right: "u = 0; u_x = 0", want: "equation.initial"},
		{text: "u_t = 0.001*u_xx + u^2/v - u; v_t = 0.1*v_xx + u^2 - v", left: "u_x = 0; v_x = 0", right: "u_x = 0; v_x = 0",
			want: "equation.initial"},
		{text: "u_t = 0.0001*u_xx - 5*u^3 + 5*u", want: "data.grid"},
	} {
		base, err := config.PresetByName("quick")
		if err != nil {
			t.Fatal(err)
		}
		for _, assignment := range []string{"equation.text=" + c.text, "equation.left=" + c.left, "equation.right=" + c.right} {
			if err := config.Assign(&base, assignment); err != nil {
				t.Fatal(err)
			}
		}
		found, why := Lasting(t.Context(), base, func(key string) bool { return key == c.given })
		changes := slices.ContainsFunc(found, func(r Remedy) bool { return r.Key == c.want })
		if changes != (c.want != "") || c.want == "" && len(found) > 0 && c.given == "" || (why != "") != (len(found) > 0) {
			t.Errorf("%s, given %q: the settings are %v (%s), want %q", c.text, c.given, found, why, c.want)
		}
		if slices.ContainsFunc(found, func(r Remedy) bool { return r.Key == c.given }) {
			t.Errorf("%s: %v changes %s, which is given", c.text, found, c.given)
		}
	}
}
