package machine

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"

	"rfm/model/store"
	"rfm/solver/simd"
)

// Version returns the module version, or the VCS revision of a build from source ("+dirty" if files were changed), or
// "devel".
func Version() string { return Program().Version }

// Instructions returns the vector instructions in use, in words.
func Instructions() string { return simd.Active().String() }

// InstructionsVariable names the environment variable that limits the instructions: off or avx2.
const InstructionsVariable = simd.EnvironmentVariable

// Program returns the identity of this program for the manifests of runs.
func Program() store.Program {
	info, _ := debug.ReadBuildInfo()
	return program(info)
}

// program is Program for the build information of an executable; nil if it has none.
func program(info *debug.BuildInfo) store.Program {
	p := store.Program{Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Target: "GOARCH=" + runtime.GOARCH, SIMD: Instructions()}
	dirty, version := "", ""
	if info != nil {
		version = strings.TrimPrefix(info.Main.Version, "(devel)")
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				p.Revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.time":
				p.Date = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "+dirty"
			case s.Key == "GO"+strings.ToUpper(runtime.GOARCH): // last digits depend on it: some fuse products with sums
				p.Target += " " + s.Key + "=" + s.Value
			}
		}
	}
	if p.Revision != "" {
		p.Revision += dirty
	}
	p.Version = cmp.Or(version, p.Revision, "devel")
	return p
}
