// Package trained keeps trained models in files that need neither the data nor the run they come from, and applies them
// on any grid.
//
// A model file is a NumPy .npz: a ZIP archive of float64 arrays and of meta.json, stored without compression. meta.json
// has "format" (Format), "version" (of the program that trained), "problem", "grid" (of the training pairs: K or r),
// "coarse" (the grid on which predictions for finer ones are made, see Model.Coarsen), "config" (the complete
// configuration, TOML) and "operator": a part with its "kind" and its numbers, which may have other parts in it. The
// structs with the name of a kind and File, in packages method and feature, are what a part has, with the shapes of its
// arrays in tags (package codec); rfm.py, which Python is the text of, is what it computes.
//
// One format is read: that which is written. Equal models give equal bytes.
package trained
