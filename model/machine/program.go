package machine

import (
	"runtime"
	"runtime/debug"

	"rfm/model/store"
	"rfm/solver/simd"
)

// Version returns the module version, or the VCS revision of a build from source ("+dirty" if files were changed), or
// "devel".
func Version() string {
	info, revision, _ := build()
	switch {
	case info != nil && info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	case revision != "":
		return revision
	default:
		return "devel"
	}
}

// build returns the build information of the executable, with the VCS revision of its source and the date of that
// commit, which are empty if unknown.
func build() (info *debug.BuildInfo, revision, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, "", ""
	}
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.time":
			date = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if revision == "" {
		return info, "", ""
	}
	return info, revision + dirty, date
}

// Instructions returns the vector instructions in use, in words.
func Instructions() string { return simd.Active().String() }

// InstructionsVariable names the environment variable that limits the instructions: off or avx2.
const InstructionsVariable = simd.EnvironmentVariable

// Program returns the identity of this program for the manifests of runs.
func Program() store.Program {
	info, revision, date := build()
	return store.Program{Version: Version(), Revision: revision, Date: date, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Target: target(info), SIMD: Instructions()}
}

// target returns the instruction set of the compiler, on which last digits depend, since some sets fuse products with
// sums.
func target(info *debug.BuildInfo) string {
	text := "GOARCH=" + runtime.GOARCH
	if info == nil {
		return text
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64", "GO386", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM":
			text += " " + s.Key + "=" + s.Value
		}
	}
	return text
}
