// This file defines flags: their values are checked when they are parsed, and a flag without a meaning is refused.

package command

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/show/interchange"
	"rfm/tui/terminal"
)

// flags are the flags with the same meaning in every command that has them; zero values mean "not given". Flags of a
// single command are in a struct of its file.
type flags struct {
	workers int
	runs    string
	json    bool
	quiet   bool
}

// dataExtensions are the extensions of files that hold arrays.
var dataExtensions = interchange.DataExtensions()

const noFiles = cobra.ShellCompDirectiveNoFileComp

// share defines flags with the same meaning in several commands, and returns the command.
func (f *flags) share(cmd *cobra.Command, names ...string) *cobra.Command {
	set := cmd.Flags()
	for _, name := range names {
		switch name {
		case "workers":
			whole(cmd, &f.workers, name, 1, 1024, "`N` goroutines that compute (default: one for each core)")
		case "runs":
			f.runs = "runs"
			anyName := func(text string) (string, error) { return text, nil }
			directories := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
			checked(cmd, &f.runs, name, "string", "`DIRECTORY` of stored runs", anyName, directories)
		case "json":
			set.BoolVar(&f.json, name, false, "print the result as JSON")
		case "quiet":
			set.BoolVarP(&f.quiet, name, "q", false, "no progress")
		default:
			panic("command: no flag is called " + name)
		}
	}
	return cmd
}

// value is the value of a flag. The error of parse names the expected values.
type value[T any] struct {
	at    *T
	kind  string // in the help
	parse func(text string) (T, error)
}

func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.at = parsed
	}
	return err
}

func (v *value[T]) String() string {
	return fmt.Sprint(*v.at)
}

func (v *value[T]) Type() string { return v.kind }

// checked defines a flag, whose default is the present value, with the completion of its values. One letter behind a
// comma is its short form.
func checked[T any](cmd *cobra.Command, at *T, flag, kind, usage string, parse func(string) (T, error),
	complete cobra.CompletionFunc) {
	flag, letter, _ := strings.Cut(flag, ",")
	cmd.Flags().VarP(&value[T]{at, kind, parse}, flag, letter, usage)
	if complete == nil {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("command: " + err.Error())
	}
}

// whole defines a flag with a whole number from least to most.
func whole[T int | uint64](cmd *cobra.Command, at *T, flag string, least, most T, usage string) {
	parse := func(text string) (T, error) {
		v, err := strconv.ParseUint(text, 10, 64)
		isBetween := v >= uint64(least) && v <= uint64(most)
		if err != nil || !isBetween {
			return 0, fmt.Errorf("want a whole number from %d to %d", least, most)
		}
		return T(v), nil
	}
	checked(cmd, at, flag, "N", usage, parse, nil)
}

// positive defines a flag with a number above 0 and below a bound.
func positive(cmd *cobra.Command, at *float64, flag string, bound float64, usage string) {
	parse := func(text string) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		isBetween := v > 0 && v < bound
		if err != nil || !isBetween {
			return 0, fmt.Errorf("want a number above 0 and below %g", bound)
		}
		return v, nil
	}
	checked(cmd, at, flag, "X", usage, parse, nil)
}

// choice defines a flag with one of some values.
func choice(cmd *cobra.Command, at *string, flag, usage string, of ...string) {
	complete := cobra.FixedCompletions(of, noFiles)
	checked(cmd, at, flag, strings.ToUpper(flag), usage, oneOf(of), complete)
}

// oneOf accepts some values.
func oneOf(of []string) func(string) (string, error) {
	return func(text string) (string, error) {
		if slices.Contains(of, text) {
			return text, nil
		}
		last := len(of) - 1
		others := strings.Join(of[:last], ", ")
		return "", fmt.Errorf("want %s or %s", others, of[last])
	}
}

// file defines a flag with the name of a file that has one of some extensions, or is a standard stream if "-" is among
// them. Without extensions every name is accepted, for files of arrays.
func file(cmd *cobra.Command, at *string, flag, usage string, extensions ...string) {
	kinds := extensions
	if kinds == nil {
		kinds = dataExtensions
	}
	check := func(name string) (string, error) {
		kind := strings.TrimPrefix(filepath.Ext(name), ".")
		if name == interchange.Stream {
			kind = name
		}
		if extensions == nil || slices.Contains(extensions, kind) {
			return name, nil
		}
		list := strings.Join(extensions, " or .")
		want, stream := strings.CutSuffix(list, " or ."+interchange.Stream)
		want += " file"
		if stream {
			want += ", or -"
		}
		return "", fmt.Errorf("want the name of a .%s", want)
	}
	complete := cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveFilterFileExt)
	checked(cmd, at, flag, "FILE", usage, check, complete)
}

// misused returns an error in the flags of a command as a usage error: with the value and the expected ones, and for an
// unknown flag with the most similar one.
func misused(cmd *cobra.Command, err error) error {
	wrong, isWrong := errors.AsType[*pflag.InvalidValueError](err)
	if isWrong {
		flag := wrong.GetFlag()
		cause := wrong.Unwrap()
		if flag.Value.Type() == "bool" {
			cause = errors.New("want true or false")
		}
		value := wrong.GetValue()
		if value == "" {
			value = `""`
		}
		return misuse("--%s %s: %w", flag.Name, value, cause)
	}
	alone, isAlone := errors.AsType[*pflag.ValueRequiredError](err)
	if isAlone {
		written := "--" + alone.GetSpecifiedName()
		if alone.GetSpecifiedShortnames() != "" {
			written = "-" + alone.GetSpecifiedName()
		}
		return misuse("%s needs a value", written)
	}
	missing, isUnknown := errors.AsType[*pflag.NotExistError](err)
	if !isUnknown {
		return coded{err, exitUsage}
	}
	name := missing.GetSpecifiedName()
	isLetter := missing.GetSpecifiedShortnames() != ""
	if isLetter {
		return coded{unknownLetter(cmd, name), exitUsage}
	}
	if len(name) == 1 && cmd.Flags().ShorthandLookup(name) != nil {
		return misuse("%w; did you mean -%s?", err, name)
	}
	var known []string
	add := func(f *pflag.Flag) { known = append(known, f.Name) }
	cmd.Flags().VisitAll(add)
	nearest := config.Similar(name, known)
	setting, isSetting := settingCalled(name)
	switch {
	case nearest != "":
		err = fmt.Errorf("%w; did you mean --%s?", err, nearest)
	case isSetting && slices.Contains(known, "set"):
		err = fmt.Errorf("%w; this is a setting: --set %s=VALUE", err, setting)
	}
	return coded{err, exitUsage}
}

// unknownLetter returns the error of a flag -k that a command does not have, with the one that differs in case.
func unknownLetter(cmd *cobra.Command, letter string) error {
	message := "unknown flag: -" + letter
	for _, other := range []string{strings.ToUpper(letter), strings.ToLower(letter)} {
		if len(other) == 1 && cmd.Flags().ShorthandLookup(other) != nil {
			return fmt.Errorf("%s; did you mean -%s?", message, other)
		}
	}
	return errors.New(message)
}

// settingCalled returns the full name of the setting of some preset whose last part is a name.
func settingCalled(name string) (setting string, ok bool) {
	for _, p := range config.Presets() {
		key, err := p.Config.Lookup(name)
		if err == nil {
			return key.Name, true
		}
	}
	return "", false
}

// rule is the reason why some flags mean nothing in a call.
type rule struct {
	holds bool
	flags string // separated by blanks
	why   string // after the name of the flag
}

// refuse returns an error about the first given flag that means nothing.
func refuse(cmd *cobra.Command, rules ...rule) error {
	for _, r := range rules {
		flag := given(cmd, r.flags)
		if r.holds && flag != "" {
			return misuse("--%s %s; leave it out", flag, r.why)
		}
	}
	return nil
}

// given returns the first of some flags, separated by blanks, that is given; empty if none is.
func given(cmd *cobra.Command, flags string) string {
	for flag := range strings.FieldsSeq(flags) {
		if cmd.Flags().Changed(flag) {
			return flag
		}
	}
	return ""
}

// arguments refuses fewer arguments than least and more than most; what describes the arguments of the command.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		n := len(args)
		if least <= n && n <= most {
			return nil
		}
		if most == 0 {
			return misuse("%s takes %s, not %q", cmd.Name(), what, args[0])
		}
		return misuse("%s takes %s, not %d arguments", cmd.Name(), what, n)
	}
}

// variables are the environment variables that replace a flag that is not given.
var variables = map[string]string{"RFM_WORKERS": "workers", "RFM_RUNS": "runs"}

// resolve applies environment variables to the flags of a command, and refuses empty arguments. RFM_SIMD and RFM_THEME
// replace no flag: they are read where the kernels and the colours are chosen.
func resolve(cmd *cobra.Command, args, environ []string) error {
	switch cmd.Name() {
	case cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return nil // shells complete faulty lines, too
	}
	if slices.Contains(args, "") {
		return misuse("an argument is empty: a name is missing, perhaps because a variable of the shell is not set")
	}
	for _, entry := range environ {
		variable, text, _ := strings.Cut(entry, "=")
		isOurs := strings.HasPrefix(variable, "RFM_")
		if !isOurs || text == "" { // empty is not set
			continue
		}
		err := applyVariable(cmd, variable, text)
		if err != nil {
			return err
		}
	}
	return nil
}

// applyVariable checks an environment variable of the program, and sets the flag that it stands for unless that is given.
func applyVariable(cmd *cobra.Command, variable, text string) error {
	var err error
	name := variables[variable]
	switch {
	case variable == machine.InstructionsVariable:
		_, err = oneOf([]string{"off", "avx2"})(text)
	case variable == terminal.ThemeVariable:
		_, err = oneOf([]string{"dark", "light"})(text)
	case name == "":
		const unknown = "environment variable %s is not known; known are %s, %s and %s: unset it"
		known := slices.Sorted(maps.Keys(variables))
		list := strings.Join(known, ", ")
		return misuse(unknown, variable, list, machine.InstructionsVariable, terminal.ThemeVariable)
	default:
		flag := cmd.Flags().Lookup(name)
		if flag != nil && !flag.Changed { // Value.Set does not mark it as changed
			err = flag.Value.Set(text)
		}
	}
	if err != nil {
		return misuse("environment variable %s=%s: %w", variable, text, err)
	}
	return nil
}

// namesFile reports whether an argument has the extension of a configuration or of a file of arrays.
func namesFile(arg string) bool {
	kind := strings.TrimPrefix(filepath.Ext(arg), ".")
	return kind == "toml" || slices.Contains(dataExtensions, kind)
}

// exists reports whether a path names something.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
