// This file is an open file of Memory, and what is known of one.

package crash

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// handle is an open file.
type handle struct {
	memory  *Memory
	node    *node
	name    string
	at      int64 // of the next Read or Write
	appends bool
}

func (h *handle) Name() string { return h.name }

func (h *handle) Stat() (fs.FileInfo, error) {
	end, err := h.memory.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	return h.node.info(filepath.Base(h.name)), nil
}

func (h *handle) Read(p []byte) (int, error) {
	n, err := h.ReadAt(p, h.at)
	h.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (h *handle) ReadAt(p []byte, at int64) (int, error) {
	end, err := h.memory.begin()
	if err != nil {
		return 0, err
	}
	defer end()
	if at >= int64(len(h.node.content)) {
		return 0, io.EOF
	}
	n := copy(p, h.node.content[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) Write(p []byte) (int, error) {
	if h.appends {
		h.at = int64(len(h.node.content))
	}
	n, err := h.WriteAt(p, h.at)
	h.at += int64(n)
	return n, err
}

func (h *handle) WriteAt(p []byte, at int64) (int, error) {
	end, err := h.memory.begin()
	if err != nil {
		return 0, err
	}
	defer end()
	content := slices.Clone(h.node.content)
	missing := at + int64(len(p)) - int64(len(content))
	if missing > 0 {
		content = append(content, make([]byte, missing)...)
	}
	h.node.content = content
	h.node.changed = time.Now()
	return copy(content[at:], p), nil
}

func (h *handle) Truncate(size int64) error {
	end, err := h.memory.begin()
	if err != nil {
		return err
	}
	defer end()
	content := slices.Clone(h.node.content)
	missing := size - int64(len(content))
	if missing > 0 {
		content = append(content, make([]byte, missing)...)
	}
	h.node.content = content[:size]
	return nil
}

func (h *handle) Sync() error {
	end, err := h.memory.begin()
	if err != nil {
		return err
	}
	defer end()
	if err := h.memory.sync(); err != nil {
		return err
	}
	h.node.durableContent = slices.Clone(h.node.content)
	return nil
}

func (h *handle) Close() error {
	end, err := h.memory.begin()
	if err != nil {
		return err
	}
	end()
	return nil
}

// info is a description of a node.
type info struct {
	name        string
	size        int64
	mode        fs.FileMode
	changed     time.Time
	isDirectory bool
}

func (n *node) info(name string) info {
	i := info{
		name:        name,
		size:        int64(len(n.content)),
		mode:        n.permissions,
		changed:     n.changed,
		isDirectory: n.directory,
	}
	if n.directory {
		i.mode |= fs.ModeDir
	}
	return i
}

func (i info) Name() string { return i.name }

func (i info) Size() int64 { return i.size }

func (i info) Mode() fs.FileMode { return i.mode }

func (i info) ModTime() time.Time { return i.changed }

func (i info) IsDir() bool { return i.isDirectory }

func (i info) Sys() any { return nil }
