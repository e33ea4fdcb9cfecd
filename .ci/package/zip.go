//go:build ignore

// Writes the files of a directory as a zip archive: go run zip.go DIRECTORY SECONDS >ARCHIVE. All have one time
// (seconds since 1970) and come in the order of their names, so that equal files make equal archives.
package main

import (
	"archive/zip"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go run zip.go DIRECTORY SECONDS >ARCHIVE")
	}
	seconds, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	if err := archive(os.Args[1], time.Unix(seconds, 0).UTC()); err != nil {
		log.Fatal(err)
	}
}

func archive(directory string, modified time.Time) error {
	out := zip.NewWriter(os.Stdout)
	root := os.DirFS(filepath.Dir(directory))
	err := fs.WalkDir(root, filepath.Base(directory), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		to, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified})
		if err != nil {
			return err
		}
		_, err = to.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}
