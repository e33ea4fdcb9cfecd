package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Verify checks all files of the run in the directory path and returns all defects, each a *fault.Data that names the
// file, the expected and the actual content. It changes nothing. It tolerates units that other processes make
// meanwhile.
func Verify(path string) []error {
	d, err := Look(path)
	if err != nil {
		return []error{err}
	}
	faults := d.verify(context.Background())
	list, err := d.Units().List()
	if err != nil {
		return append(faults, err)
	}
	for _, u := range list {
		if _, err := d.Units().Read(u); err != nil && !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return faults
}

// verify checks the configuration and all products; it stops when ctx ends.
func (d *Directory) verify(ctx context.Context) []error {
	var faults []error
	for _, f := range d.manifest.Files {
		err := f.copy(ctx, d.path, io.Discard)
		if ctx.Err() != nil {
			return append(faults, ctx.Err())
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// copy copies the file of the run in the directory path, and compares it with its checksum. The error is a *fault.Data.
func (f File) copy(ctx context.Context, path string, to io.Writer) error {
	file, err := openFile(path, f)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(sum, to), obedient{ctx, file}); err != nil {
		return fault.Unread(file.Name(), err)
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != f.SHA256 {
		return &fault.Data{Where: file.Name(),
			What: fmt.Sprintf("is damaged: its SHA-256 is %.12s..., not %.12s...", found, f.SHA256), Do: repeat}
	}
	return nil
}

// obedient is a reader that fails once its context has ended.
type obedient struct {
	ctx context.Context
	in  io.Reader
}

func (o obedient) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	return o.in.Read(p)
}

// repeat is the advice for a file that has changed.
const repeat = "restore it from a copy, or repeat the run from its config.toml"

// openFile opens a file of the run in the directory path without checking its content. The error is a *fault.Data if
// the file is missing or not regular.
func openFile(path string, f File) (*os.File, error) {
	name := filepath.Join(path, f.Name)
	file, err := files.OpenInside(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault.Data{Where: name, What: "is missing", Do: repeat}
	}
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	return file, nil
}

// ReadFile returns the content of the file called name of the run in the directory path with manifest m. The error is a
// *fault.Data.
func (m Manifest) ReadFile(path, name string) ([]byte, error) {
	f, ok := m.File(name)
	if !ok {
		return nil, &fault.Data{Where: filepath.Join(path, name), What: "is not a file of the run"}
	}
	var content bytes.Buffer
	err := f.copy(context.Background(), path, &content)
	return content.Bytes(), err
}

// ReadJSON decodes a JSON file of the run into a value; see ReadFile.
func (m Manifest) ReadJSON(path, name string, into any) error {
	text, err := m.ReadFile(path, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.Unread(filepath.Join(path, name), err)
	}
	return nil
}

// config returns the configuration of the run in the directory path with manifest m. The error is a *fault.Data, or one
// of config.Parse with the name of the file.
func (m Manifest) config(path string) (config.Config, error) {
	text, err := m.ReadFile(path, ConfigFile)
	if err != nil {
		return config.Config{}, err
	}
	c, err := config.Parse(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", filepath.Join(path, ConfigFile), err)
	}
	return c, nil
}
