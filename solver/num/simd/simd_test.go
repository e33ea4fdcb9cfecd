// Tests of the choice of instruction set.

package simd

import (
	"runtime"
	"testing"
)

func TestEnvironmentOnlyLowersTheLevel(t *testing.T) {
	for _, c := range []struct {
		supported Level
		setting   string
		want      Level
	}{
		{AVX512, "off", Generic},
		{AVX2, "off", Generic},
		{Generic, "off", Generic},
		{AVX512, "avx2", AVX2},
		{AVX2, "avx2", AVX2},
		{Generic, "avx2", Generic},
		{AVX512, "", AVX512},
		{AVX2, "avx512", AVX2},
		{Generic, "anything", Generic},
	} {
		if got := capped(c.supported, c.setting); got != c.want {
			t.Errorf("supported %v, setting %q: got %v, want %v", c.supported, c.setting, got, c.want)
		}
	}
}

func TestOtherArchitecturesAreGeneric(t *testing.T) {
	if runtime.GOARCH != "amd64" && Active() != Generic {
		t.Errorf("%s reports %v", runtime.GOARCH, Active())
	}
}
