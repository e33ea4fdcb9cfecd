// Package crash has file systems for tests of durability. Memory forgets what was not synced, as a machine does whose
// power fails. Injector counts the operations on another file system, and fails one of them.
package crash

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"rfm/solver/base/files"
)

// Memory is a file system in memory, with the least promises of POSIX: the content of a file is durable after a sync of
// the file, a name after a sync of its directory. Its zero value is empty; relative names are below its root.
type Memory struct {
	mutex sync.Mutex
	root  *node
	syncs int // so far
	last  int // the sync at which the power fails; 0 means never
	off   bool
}

// node is a file or a directory. What is durable follows what is seen with each sync.
type node struct {
	directory   bool
	permissions fs.FileMode
	changed     time.Time

	content, durableContent []byte           // of a file
	names, durableNames     map[string]*node // of a directory
	pending                 []naming         // of a directory since its last sync
}

// naming gives a name to a node, or removes the name if it is nil.
type naming struct {
	name string
	node *node
}

// ErrOff is the error of all operations after the power has failed.
var ErrOff = errors.New("the power has failed")

func newDirectory(permissions fs.FileMode) *node {
	return &node{
		directory:    true,
		permissions:  permissions,
		names:        map[string]*node{},
		durableNames: map[string]*node{},
		changed:      time.Now(),
	}
}

// FailAt lets the power fail at a sync from now on, counted from 1: that sync and all later operations do nothing.
func (m *Memory) FailAt(sync int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.syncs = 0
	m.last = sync
}

// Syncs returns the number of syncs since FailAt.
func (m *Memory) Syncs() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.syncs
}

// After returns the file system that is found when the power is back: with all that is durable, and of the rest
// whatever chance lets through, names in any order, contents whole, cut, zero or empty.
func (m *Memory) After(chance *rand.Rand) *Memory {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.root == nil {
		return new(Memory)
	}
	return &Memory{root: m.root.after(chance, map[*node]*node{})}
}

// after returns the node that is found when the power is back; found has those of a call.
func (n *node) after(chance *rand.Rand, found map[*node]*node) *node {
	if same := found[n]; same != nil {
		return same
	}
	c := &node{directory: n.directory, permissions: n.permissions, changed: n.changed}
	found[n] = c
	if !n.directory {
		c.content = n.contentAfter(chance)
		c.durableContent = c.content
		return c
	}
	names := maps.Clone(n.durableNames)
	likely := []float64{0, 0.5, 1}[chance.IntN(3)]
	for _, p := range n.pending {
		if chance.Float64() >= likely {
			continue
		}
		if p.node == nil {
			delete(names, p.name)
		} else {
			names[p.name] = p.node
		}
	}
	c.names = map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c.names[name] = names[name].after(chance, found)
	}
	c.durableNames = maps.Clone(c.names)
	return c
}

// contentAfter returns the content of a file that is found when the power is back.
func (n *node) contentAfter(chance *rand.Rand) []byte {
	if string(n.durableContent) == string(n.content) {
		return slices.Clone(n.content)
	}
	switch chance.IntN(4) {
	case 0:
		return slices.Clone(n.content)
	case 1:
		return slices.Clone(n.content[:len(n.content)/2])
	case 2:
		return make([]byte, len(n.content))
	}
	return slices.Clone(n.durableContent)
}

// begin locks the file system for an operation, unless the power has failed.
func (m *Memory) begin() (end func(), err error) {
	m.mutex.Lock()
	if m.off {
		m.mutex.Unlock()
		return nil, ErrOff
	}
	if m.root == nil {
		m.root = newDirectory(0o777)
	}
	return m.mutex.Unlock, nil
}

// sync counts a sync, at which the power may fail.
func (m *Memory) sync() error {
	m.syncs++
	if m.syncs == m.last {
		m.off = true
		return ErrOff
	}
	return nil
}

// find returns the node of a name.
func (m *Memory) find(operation, name string) (*node, error) {
	at := m.root
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(name)), "/") {
		if part == "" || part == "." {
			continue
		}
		if !at.directory {
			return nil, &fs.PathError{Op: operation, Path: name, Err: syscall.ENOTDIR}
		}
		if at = at.names[part]; at == nil {
			return nil, &fs.PathError{Op: operation, Path: name, Err: syscall.ENOENT}
		}
	}
	return at, nil
}

// parent returns the directory of a name, and the last part of the name.
func (m *Memory) parent(operation, name string) (*node, string, error) {
	directory, base := filepath.Split(filepath.Clean(name))
	p, err := m.find(operation, directory)
	if err == nil && !p.directory {
		err = &fs.PathError{Op: operation, Path: name, Err: syscall.ENOTDIR}
	}
	return p, base, err
}

// name gives a name to a node, or removes the name if it is nil.
func (n *node) name(name string, of *node) {
	if of == nil {
		delete(n.names, name)
	} else {
		n.names[name] = of
	}
	n.pending = append(n.pending, naming{name, of})
	n.changed = time.Now()
}

// OpenFile implements files.System, as do the other methods.
func (m *Memory) OpenFile(name string, flag int, permissions fs.FileMode) (files.Handle, error) {
	end, err := m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	creates := flag&os.O_CREATE != 0
	mustCreate := creates && flag&os.O_EXCL != 0
	n, err := m.find("open", name)
	switch {
	case err == nil && mustCreate:
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EEXIST}
	case errors.Is(err, fs.ErrNotExist) && creates:
		p, base, err := m.parent("open", name)
		if err != nil {
			return nil, err
		}
		n = &node{permissions: permissions, changed: time.Now()}
		p.name(base, n)
	case err != nil:
		return nil, err
	}
	if flag&os.O_TRUNC != 0 {
		n.content = nil
	}
	h := &handle{
		memory:  m,
		node:    n,
		name:    name,
		appends: flag&os.O_APPEND != 0,
	}
	return h, nil
}

func (m *Memory) Stat(name string) (fs.FileInfo, error) {
	end, err := m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	n, err := m.find("stat", name)
	if err != nil {
		return nil, err
	}
	return n.info(filepath.Base(name)), nil
}

func (m *Memory) Lstat(name string) (fs.FileInfo, error) { return m.Stat(name) }

func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	end, err := m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	n, err := m.find("readdir", name)
	if err != nil {
		return nil, err
	}
	var all []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		all = append(all, fs.FileInfoToDirEntry(n.names[name].info(name)))
	}
	return all, nil
}

func (m *Memory) Mkdir(name string, permissions fs.FileMode) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	p, base, err := m.parent("mkdir", name)
	if err != nil {
		return err
	}
	if p.names[base] != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.EEXIST}
	}
	p.name(base, newDirectory(permissions))
	return nil
}

func (m *Memory) Remove(name string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	p, base, err := m.parent("remove", name)
	if err != nil {
		return err
	}
	switch n := p.names[base]; {
	case n == nil:
		return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOENT}
	case len(n.names) > 0:
		return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
	}
	p.name(base, nil)
	return nil
}

func (m *Memory) RemoveAll(name string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	p, base, err := m.parent("remove", name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && p.names[base] == nil {
		return nil
	}
	if err != nil {
		return err
	}
	p.names[base].empty()
	p.name(base, nil)
	return nil
}

// empty removes the names in a directory, the last first.
func (n *node) empty() {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(n.names))) {
		n.names[name].empty()
		n.name(name, nil)
	}
}

func (m *Memory) Rename(from, to string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	old, oldBase, err := m.parent("rename", from)
	if err != nil {
		return err
	}
	at, base, err := m.parent("rename", to)
	if err != nil {
		return err
	}
	n := old.names[oldBase]
	switch there := at.names[base]; {
	case n == nil:
		return &fs.PathError{Op: "rename", Path: from, Err: syscall.ENOENT}
	case there != nil && there.directory != n.directory:
		return &fs.PathError{Op: "rename", Path: to, Err: syscall.ENOTDIR}
	case there != nil && len(there.names) > 0:
		return &fs.PathError{Op: "rename", Path: to, Err: syscall.ENOTEMPTY}
	}
	old.name(oldBase, nil)
	at.name(base, n)
	return nil
}

func (m *Memory) Chmod(name string, permissions fs.FileMode) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	n, err := m.find("chmod", name)
	if err == nil {
		n.permissions = permissions
	}
	return err
}

func (m *Memory) SyncDirectory(name string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	n, err := m.find("sync", name)
	if err != nil {
		return err
	}
	if err := m.sync(); err != nil {
		return err
	}
	n.durableNames = maps.Clone(n.names)
	n.pending = nil
	return nil
}

// Lock does nothing: the file system has one process.
func (m *Memory) Lock(files.Handle, bool) error { return nil }
