// Command gen draws the letters of pictures of a screen; go generate runs it. Each character of letters.txt becomes a
// cell of letters.png, those of one line of the text beside each other: first all regular, below them all bold.
package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"strings"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A cell in pixels, where its letters stand, and their size.
const (
	width, height, baseline = 10, 20, 15
	size                    = 16.6
)

func main() {
	text, err := os.ReadFile("letters.txt")
	if err != nil {
		log.Fatal(err)
	}
	lines, most := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), 0
	for _, line := range lines {
		most = max(most, len([]rune(line)))
	}
	var shades color.Palette // few, for the file is in every program
	for shade := range 16 {
		shades = append(shades, color.Gray{Y: uint8(17 * shade)})
	}
	sheet := image.NewPaletted(image.Rect(0, 0, most*width, 2*len(lines)*height), shades)
	for weight, ttf := range [][]byte{dejavusansmono.TTF, dejavusansmonobold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			log.Fatal(err)
		}
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			log.Fatal(err)
		}
		var buffer sfnt.Buffer
		for y, line := range lines {
			for x, r := range []rune(line) {
				if glyph, err := parsed.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
					log.Fatalf("the font has no %q: %v", r, err)
				}
				left, top := x*width, (weight*len(lines)+y)*height
				cell := sheet.SubImage(image.Rect(left, top, left+width, top+height)).(*image.Paletted)
				pen := font.Drawer{Dst: cell, Src: image.White, Face: face, Dot: fixed.P(left, top+baseline)}
				pen.DrawString(string(r))
			}
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, sheet); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("letters.png", out.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}
