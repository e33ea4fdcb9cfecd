package command

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/model/interchange"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// wordsOf splits a line as a shell does, as far as quoting with single quotes.
func wordsOf(line string) (words []string) {
	inside, open := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			inside = !inside
			if !open {
				words, open = append(words, ""), true
			}
		case r == ' ' && !inside:
			open = false
		default:
			if !open {
				words, open = append(words, ""), true
			}
			words[len(words)-1] += string(r)
		}
	}
	return words
}

// inspectedArgs returns the command that inspect suggests for a file, and its whole output.
func inspectedArgs(t *testing.T, file string) (args []string, said string) {
	t.Helper()
	out := done(t, "show", file)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return wordsOf(strings.TrimSpace(lines[len(lines)-1])), out
}

// briefly are settings of tests that train on files: one method, as all in turn take seconds per file.
var briefly = []string{"-m", "8", "--set", "train.method=features", "-q", "--no-save", "--no-baselines"}

// Sets in the layouts of other programs and of published data, written by model/interchange/testdata/make.py, are
// trained on by the command that inspect prints.
func TestSetsOfOtherProgramsAreTrainedOnAsInspectSays(t *testing.T) {
	data, err := filepath.Abs("../../model/interchange/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(data)
	for _, test := range []struct{ file, learned, says string }{
		{"pdebench_burgers.h5",
			"functions 'data.input=tensor[:, 0]' 'data.output=tensor[:, -1]' data.endpoint=excluded",
			"axis 1, of length 5, is taken as time"},
		{"pdebench_darcy.h5", "fields data.input=nu data.output=tensor", "24 pairs of fields on 9 x 9 points"},
		{"the_well.hdf5", "fields 'data.input=t0_fields/pressure[:, 0]' 'data.output=t0_fields/pressure[:, -1]'",
			"axis 1, of length 4, is taken as time"},
		{"burgers_data_R10.mat", "functions data.endpoint=excluded", "24 pairs of periodic functions on K=65"},
		{"piececonst_r421.mat", "fields data.input=coeff data.output=sol",
			"24 pairs of fields on 11 x 11 points"},
		{"navier_stokes.mat", "fields data.input=a 'data.output=u[:, :, :, -1]'",
			"axis 3 of u, of length 3, is taken as time"},
		{"deeponet.npz", "functions data.input=branch data.output=outputs", "(count, K)"},
		{"channels.npz", "functions data.input=x data.output=y", "(count, K)"},
		{"channels_last.npz", "functions data.input=inputs data.output=targets", "(count, K)"},
		{"parts.npz", "functions data.input=x_train data.output=y_train data.test_input=x_test " +
			"data.test_output=y_test", "8 pairs for testing"},
		{"half.npz", "functions", "float16"},
		{"scaled.npz", "functions", "24 pairs"},
		{"stacked.npy", "functions", "(count, 2, K)"},
		{"stacked_last.npy", "functions", "(2, K, count)"},
		{"trajectories.npy", "functions 'data.input=[:, 0]' 'data.output=[:, -1]'",
			"axis 1, of length 5, is taken as time"},
	} {
		if testing.Short() && test.file > "d" && test.file < "t" { // the rest has one of each kind
			continue
		}
		_, said := inspectedArgs(t, test.file)
		if !strings.HasSuffix(strings.TrimSpace(said), "\n  rfm run "+test.file) ||
			!strings.Contains(strings.Join(strings.Fields(said), " "), test.says) {
			t.Errorf("%s: %s", test.file, said)
			continue
		}
		c, err := interchange.Learn(t.Context(), test.file)
		problem, rest, _ := strings.Cut(test.learned, " ")
		if err != nil || c.Problem != problem {
			t.Errorf("%s: problem %s, want %s: %v", test.file, c.Problem, problem, err)
		}
		for _, word := range wordsOf(rest) {
			name, want, _ := strings.Cut(word, "=")
			key, err := c.Lookup(name)
			if err != nil || key.Text(c) != want {
				t.Errorf("%s: %s=%s, want %s: %v", test.file, name, key.Text(c), want, err)
			}
		}
		gives(t, exitDone, "expected relative", append([]string{"run", test.file}, briefly...)...)
	}
}

// The presets of published settings take the pairs, points and parts of the published files, for which files with few
// pairs stand in.
func TestPresetsOfPublishedSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("the files have the size of the published ones along a function")
	}
	t.Chdir(t.TempDir())
	waves := func(count, points, axes int, sharp bool) npy.Array {
		return arrayOf(func(at []int) float64 {
			i, x, y := float64(at[0]), float64(at[1])/float64(points), 0.0
			if axes == 2 {
				y = float64(at[2]) / float64(points)
			}
			v := math.Sin(2*math.Pi*x+i) + math.Cos(i+3*y)
			if sharp {
				v = 7.5 + math.Copysign(4.5, v)
			}
			return v
		}, append([]int{count}, slices.Repeat([]int{points}, axes)...)...)
	}
	burgers := waves(12, 8192, 1, false)
	// recognized by its content
	arraytest.NPZ(t, "burgers_data_R10.mat",
		map[string]npy.Array{"a": burgers, "a_x": burgers, "u": burgers})
	gives(t, exitDone, `"grid":129`, append([]string{"run", "benchmark-burgers", "--json"}, briefly...)...)
	coefficient, solution := waves(4, 421, 2, true), waves(4, 421, 2, false)
	for _, name := range []string{"piececonst_r421_N1024_smooth1.mat", "piececonst_r421_N1024_smooth2.mat"} {
		arraytest.NPZ(t, name, map[string]npy.Array{"coeff": coefficient, "sol": solution})
	}
	gives(t, exitDone, `"grid":43`, append([]string{"run", "benchmark-darcy", "--json"}, briefly...)...)
}
