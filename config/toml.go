package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// maxTOML bounds the size of a configuration file in bytes: far above any real one, and small enough to bound memory
// and the time of reading, which grows with the square of the number of keys.
const maxTOML = 1 << 17

// Parse reads a configuration from TOML. Keys that the file leaves out keep the values of the preset in its top-level
// key `preset`, or else of the preset of its `problem`, by default the paper's Burgers experiment. The result is not
// validated. Errors are *Error with the line and the key, or the syntax error with its position.
func Parse(text []byte) (Config, error) {
	tree, err := decode(text)
	if err != nil {
		return Config{}, err
	}
	c := Reference()
	problem, given := tree["problem"]
	if given {
		k, _ := c.Lookup("problem")
		if err := k.setTOML(&c, problem); err != nil {
			return Config{}, err
		}
		c = c.Of().Start()
	}
	if preset, ok := tree["preset"]; ok {
		name := fmt.Sprint(preset)
		named, err := PresetByName(name)
		if err != nil {
			return Config{}, err
		}
		if given && named.Problem != c.Problem {
			return Config{}, &Error{
				Key:        "preset",
				Value:      name,
				Problem:    "is about " + named.Problem + ", but problem = " + c.Problem,
				Suggestion: "leave one of them out",
			}
		}
		c = named
	}
	return apply(c, tree)
}

// Written returns the names of the settings in a text that changes some of a preset, in alphabetical order. It is empty for
// texts without the key `preset`, because those of stored runs have every setting, whether somebody asked for it or not.
func Written(text []byte) []string {
	c, err := Parse(text)
	if err != nil {
		return nil
	}
	tree, err := decode(text)
	if err != nil || tree["preset"] == nil {
		return nil
	}
	delete(tree, "preset")
	delete(tree, "about")
	leaves := map[string]any{}
	c.flatten(tree, "", leaves)
	return slices.Sorted(maps.Keys(leaves))
}

// decode parses TOML into a tree.
func decode(text []byte) (map[string]any, error) {
	if len(text) > maxTOML {
		return nil, &Error{
			Key:        "configuration",
			Problem:    fmt.Sprintf("has %d bytes, want at most %d", len(text), maxTOML),
			Suggestion: "is this the right file?",
		}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // editors on Windows begin files with it
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var syntax *toml.DecodeError
		if errors.As(err, &syntax) {
			row, column := syntax.Position()
			return nil, &Error{
				Key:        fmt.Sprintf("line %d, column %d", row, column),
				Problem:    "is not valid TOML: " + strings.TrimPrefix(syntax.Error(), "toml: "),
				Suggestion: "write key = value, text in \"quotes\"",
			}
		}
		return nil, &Error{Key: "configuration", Problem: "is not valid TOML: " + err.Error()}
	}
	return tree, nil
}

// IsTOML reports whether Parse would read a text as TOML, with any keys.
func IsTOML(text []byte) bool {
	_, err := decode(text)
	return err == nil
}

// mostErrors bounds the wrong keys of a file that are reported: the search for the intended key takes long.
const mostErrors = 20

// apply stores the values of a tree in a configuration.
func apply(c Config, tree map[string]any) (Config, error) {
	delete(tree, "preset")
	delete(tree, "about")
	leaves := map[string]any{}
	c.flatten(tree, "", leaves)
	var all []assignment
	for _, full := range slices.Sorted(maps.Keys(leaves)) {
		all = append(all, assignment{full, leaves[full]})
	}
	err := c.assign(all, func(k Key, a assignment) error {
		if k.Name != a.name {
			return &Error{
				Key:        a.name,
				Problem:    "is not a setting",
				Suggestion: fmt.Sprintf("did you mean %q?", k.Name),
			}
		}
		return k.setTOML(&c, a.value)
	})
	if !closed2(c) { // the file makes the fields of its preset periodic
		c.Features.Axis = 0
	}
	return c, err
}

// assignment is a value for the key of a name: text of --set, or any that TOML has.
type assignment struct {
	name  string
	value any
}

// assign makes assignments in the order of place.
func (c *Config) assign(all []assignment, set func(k Key, a assignment) error) error {
	slices.SortStableFunc(all, func(a, b assignment) int { return place(a.name) - place(b.name) })
	var failed []error
	for i, a := range all {
		if len(failed) == mostErrors {
			failed = append(failed, &Error{
				Key:        fmt.Sprintf("%d more keys", len(all)-i),
				Problem:    "were not read",
				Suggestion: "is this the right file?",
			})
			break
		}
		firstParameter := place(a.name) == unplaced && (i == 0 || place(all[i-1].name) < unplaced)
		if firstParameter { // all of them at once, because the value of one may name another one
			for _, p := range all[i:] {
				name := p.name[strings.LastIndexByte(p.name, '.')+1:]
				value := c.Equation.parameter(name).within(fmt.Sprint(p.value))
				c.Equation.Parameters += "; " + name + "=" + value
			}
		}
		k, err := c.Lookup(a.name)
		if err == nil {
			err = set(k, a)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) == 0 {
		return c.keepMethod(all, set)
	}
	return errors.Join(failed...)
}

// keepMethod sets the method again that an assignment names, because random numbers may have brought another one.
func (c *Config) keepMethod(all []assignment, set func(k Key, a assignment) error) error {
	if len(c.Equation.Numbers()) == 0 {
		return nil
	}
	for _, a := range all {
		if k, err := c.Lookup(a.name); err == nil && k.Name == "train.method" {
			return set(k, a)
		}
	}
	return nil
}

// flatten adds the leaves of a TOML tree to leaves, under the names of keys.
func (c Config) flatten(tree map[string]any, prefix string, leaves map[string]any) {
	for name, value := range tree {
		full := prefix + name
		branch, isTable := value.(map[string]any)
		inGroup := func(k Key) bool { return strings.HasPrefix(k.Name, name+".") }
		isGroup := prefix == "" && (len(branch) > 0 || slices.ContainsFunc(c.Keys(), inGroup))
		if isTable && (isGroup || full == "equation.parameters") {
			c.flatten(branch, full+".", leaves)
		} else {
			leaves[full] = value
		}
	}
}

// setTOML stores a value of TOML as Set does its text. The lines of an equation may be a list.
func (k Key) setTOML(c *Config, value any) error {
	text := fmt.Sprint(value)
	switch v := value.(type) {
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		var lines []string
		for _, line := range v {
			one, ok := line.(string)
			if !ok || k.Kind != Text {
				return k.error(text, "")
			}
			lines = append(lines, one)
		}
		text = strings.Join(lines, "; ")
	case map[string]any, bool:
		if k.Kind != YesNo {
			return k.error(text, "")
		}
	}
	return k.Set(c, text)
}

// resetting are the keys that bring the values or names of others with them, in the order of assignment.
var resetting = []string{"problem", "equation.dims", "equation.text", "equation.initial", "features.kind",
	"data.test_file"}

// unplaced is the place of parameters of equations and of unknown names.
var unplaced = len(resetting) + len(keys)

// place returns the place of a key in the order of assignment: those that reset others first, then those of the table,
// so that messages come in a familiar order, then the others.
func place(name string) int {
	end := "." + name
	named := func(key string) bool { return key == name || strings.HasSuffix(key, end) }
	if i := slices.IndexFunc(resetting, named); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(keys, func(k Key) bool { return named(k.Name) }); i >= 0 {
		return len(resetting) + i
	}
	return unplaced
}

// Assign applies assignments "key=value", as given to --set, in the order of place. An error leaves c unchanged.
func Assign(c *Config, assignments ...string) error {
	var all []assignment
	for _, a := range assignments {
		name, value, ok := strings.Cut(a, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return &Error{
				Key:        cmp.Or(a, `""`),
				Problem:    "is not an assignment",
				Suggestion: "write key=value, for example features.delta=0.005",
			}
		}
		all = append(all, assignment{name, value})
	}
	next := *c
	err := next.assign(all, func(k Key, a assignment) error { return k.Set(&next, a.value.(string)) })
	if err == nil {
		*c = next
	}
	return err
}

// TOML returns the complete configuration, each key with its meaning, so that Parse(c.TOML()) == c.
func (c Config) TOML() []byte {
	var b bytes.Buffer
	group := "experiment"
	for _, k := range c.Keys() {
		if k.parameter != "" && k.Text(c) == "" {
			continue // Validate asks for its value
		}
		if g := k.Group(); g != group {
			group = g
			fmt.Fprintf(&b, "\n[%s]\n", group)
		}
		line := fmt.Sprintf("%s = %s", strings.TrimPrefix(k.Name, k.Group()+"."), k.literal(c))
		help := k.Help
		if k.Symbol != "" && k.Symbol != k.Short() {
			help = k.Symbol + ": " + help
		}
		fmt.Fprintf(&b, "%-32s # %s\n", line, help)
	}
	return b.Bytes()
}

// literal returns the key's value as a TOML literal.
func (k Key) literal(c Config) string {
	text := k.Text(c)
	switch v := k.pointer(&c).(type) {
	case *string:
		if _, err := strconv.ParseFloat(text, 64); err == nil && k.parameter != "" {
			return text
		}
		var quoted bytes.Buffer
		encoder := toml.NewEncoder(&quoted)
		if err := encoder.Encode(map[string]string{"v": *v}); err != nil {
			panic("config: " + err.Error()) // text always encodes
		}
		return strings.TrimSpace(strings.TrimPrefix(quoted.String(), "v = "))
	case *bool:
		return strconv.Quote(text) // as in versions before this kind of key
	case *uint64:
		if *v > 1<<63-1 {
			return strconv.Quote(text)
		}
	case *float64:
		if !strings.ContainsAny(text, ".e") {
			return text + ".0"
		}
	}
	return text
}
