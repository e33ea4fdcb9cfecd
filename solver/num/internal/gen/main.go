//go:build assembly

// Command gen writes the vector kernels of a package of the solvers: fft, trig, poisson or darcy.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	ConstraintExpr("amd64")
	kernels := map[string]func(){
		"fft":     transforms,
		"trig":    trigonometric,
		"poisson": elimination,
		"darcy":   gradients,
	}
	name := flag.Lookup("pkg").Value.String()
	kernels[name]()
	Generate()
}
