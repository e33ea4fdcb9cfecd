package headless

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/fault"
)

// cast is a recording of three pictures, one of which comes and goes too fast to be seen.
const cast = `{"version":2,"width":20,"height":3,"timestamp":0}
[0.1,"o","\u001b[1;1Hfirst <&>"]
[2.0,"o","\u001b[2;1H\u001b[38;5;74;1mfast\u001b[m"]
[2.1,"o","\u001b[2;1H\u001b[38;5;74;1mslow\u001b[m \u001b[48;5;220m▀█\u001b[m"]
[60,"o","\u001b[3;1H⠒⠒ end"]
`

func TestRecordingsBecomeMovingPictures(t *testing.T) {
	picture, err := Animate(strings.NewReader(cast), "demo.cast")
	if err != nil {
		t.Fatal(err)
	}
	frames, uses, ids := 0, map[string]bool{}, map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(picture)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("no valid XML: %v\n%s", err, picture)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" {
			t.Error("there is a script in it")
		}
		for _, a := range e.Attr {
			switch {
			case e.Name.Local == "svg" && a.Name.Local == "x":
				frames++
			case a.Name.Local == "href":
				uses[strings.TrimPrefix(a.Value, "#")] = true
			case a.Name.Local == "id":
				ids[a.Value] = true
			}
		}
	}
	if frames != 3 {
		t.Errorf("%d pictures, 3 expected\n%s", frames, picture)
	}
	for id := range uses {
		if !ids[id] {
			t.Errorf("line %s is used and not there", id)
		}
	}
	text := string(picture)
	for want, times := range map[string]int{"translateX(": frames + 1, "fast": 0, "slow": 1, ">⠒⠒</tspan>": 1,
		">first</tspan>": 1, ">&lt;&amp;&gt;</tspan>": 1, "#5fafd7": 1} {
		if n := strings.Count(text, want); n != times {
			t.Errorf("%q is there %d times, not %d:\n%s", want, n, times, text)
		}
	}
	again, err := Animate(strings.NewReader(cast), "another.cast")
	if err != nil || !bytes.Equal(again, picture) {
		t.Errorf("the same recording makes another picture: %v", err)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	first, _, _ := strings.Cut(cast, "\n")
	for name, text := range map[string]string{"empty": "", "text": "hello\n",
		"large": `{"version":2,"width":9999,"height":3}`,
		"event": first + "\n[1,2]\n", "nothing": first + "\n", "size": first + "\n[1,\"r\",\"40x3\"]\n"} {
		var data *fault.Data
		if _, err := Animate(strings.NewReader(text), name); !errors.As(err, &data) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A recording whose name ends in .svg is a moving picture when it is complete.
func TestRecordingsCanBePictures(t *testing.T) {
	name := filepath.Join(t.TempDir(), "demo.svg")
	r, err := create(name, header{Width: 10, Height: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte("<svg")) || !bytes.Contains(text, []byte("hello")) {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := create(name, header{Width: 10, Height: 2}); err == nil {
		t.Error("a file is overwritten")
	}
}
