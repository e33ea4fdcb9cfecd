// Package trained stores trained models in files that need neither the data nor the run they come from, and applies
// them on any grid.
//
// A model file is a NumPy .npz: a ZIP archive of float64 arrays and of meta.json, stored without compression. meta.json
// has "format" (Format), "version" (of the program that trained), "problem", "grid" (of the training pairs: K or r),
// "coarse" (the grid on which predictions for finer ones are made, see Model.Coarsen), "config" (the complete
// configuration, TOML) and "operator": a part with its "kind" and its numbers, which may contain other parts. The
// operators of package method, and structs with the name of a kind and File in package feature, define the fields of a
// part, with the shapes of its arrays in tags (package codec). rfm.py, the text of Python, defines the prediction.
//
// Read accepts the format that Write writes, and no other. Equal models give equal bytes.
package trained
