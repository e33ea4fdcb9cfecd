package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"rfm/model/rfm"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// tileName is tile-FIRSTROW-ROWS-FIRSTCOLUMN-COLUMNS-SUM.npy, where SUM is the first half of the SHA-256 of the key of
// the run, the tile and the file.
var tileName = regexp.MustCompile(`^tile-([0-9]{6})-([0-9]{6})-([0-9]{6})-([0-9]{6})-([0-9a-f]{32})\.npy$`)

// storedTile is a tile's file.
type storedTile struct {
	rfm.Tile
	name, sum string
}

func stem(t rfm.Tile) string {
	return fmt.Sprintf("tile-%06d-%06d-%06d-%06d", t.FirstRow, t.Rows, t.FirstColumn, t.Columns)
}

func sumOf(key string, t rfm.Tile, text []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", key, stem(t))
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil)[:sha256.Size/2])
}

// writeTile stores the values of a tile. The error is that of writing.
func writeTile(path, key string, t rfm.Tile, values []float64) error {
	rows, columns := t.Shape()
	text, err := binary.Append(npy.Preamble([]int{rows, columns}), binary.LittleEndian, values)
	if err != nil {
		return err
	}
	name := filepath.Join(part(path), stem(t)+"-"+sumOf(key, t, text)+".npy")
	if _, err := os.Lstat(name); err == nil { // somebody has made it
		return nil
	}
	return files.WriteFile(name, text)
}

// tiles are the stored tiles of bands of a width. The error is a *fault.Data, or an *Unsound if two machines have
// computed one differently.
func (p Plan) tiles(path string, m int) (map[rfm.Tile]storedTile, error) {
	entries, err := os.ReadDir(part(path))
	if err != nil {
		return nil, &fault.Data{Where: part(path), What: "cannot be listed", Err: err}
	}
	planned, found := rfm.Tiles(m, p.Width), map[rfm.Tile]storedTile{}
	for _, entry := range entries {
		words := tileName.FindStringSubmatch(entry.Name())
		if words == nil {
			continue
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(words[1+i])
		}
		t := rfm.Tile{FirstRow: n[0], Rows: n[1], FirstColumn: n[2], Columns: n[3]}
		if !slices.Contains(planned, t) { // of an earlier plan
			continue
		}
		if other, ok := found[t]; ok {
			return nil, &Unsound{part(path),
				fmt.Sprintf("%s and %s are the same tile with different bits: one of the machines is broken, or one of the files",
					other.name, entry.Name()),
				"find out which, in " + claimDirectory + ", and remove both"}
		}
		found[t] = storedTile{t, entry.Name(), words[5]}
	}
	return found, nil
}

// read is the values of a stored tile, checked. The error is a *fault.Data.
func (t storedTile) read(path, key string) ([]float64, error) {
	name := filepath.Join(part(path), t.name)
	rows, columns := t.Shape()
	size := int64(len(npy.Preamble([]int{rows, columns})) + 8*rows*columns)
	text, err := files.ReadFile(name, size)
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be read", Err: err, Do: "remove it: it is made again"}
	}
	if sumOf(key, t.Tile, text) != t.sum {
		return nil, &fault.Data{Where: name, What: "is damaged, or another run's: its checksum is not that of its name",
			Do: "remove it: it is made again"}
	}
	a, err := npy.Read(bytes.NewReader(text), size)
	if err != nil {
		return nil, err
	}
	return a.Data, nil
}
