#pragma once

#include <stddef.h>
#include <stdint.h>

// The part of libvips that Tintype uses, without its variadic calls. A function that makes an image returns
// one that the caller owns, or NULL; a function that returns int says 0 for success. Images are lazy: errors
// of decoding appear where pixels are first asked for.

typedef struct _VipsImage VipsImage;

/// The decoders that a picture from outside may reach. All others are blocked.
typedef enum {
    TINTYPE_VIPS_JPEG,
    TINTYPE_VIPS_PNG,
    TINTYPE_VIPS_WEBP,
    TINTYPE_VIPS_GIF,
    TINTYPE_VIPS_HEIF,
    TINTYPE_VIPS_TIFF,
} TintypeVipsLoader;

/// Starts libvips for the process: without an operation cache or messages, with one thread for each operation, and with
/// only the loaders above. Call it once, before any other function here and before other threads read the environment.
int tintype_vips_start(void);

/// Reads the header of an open file. `shrink` (1, 2, 4, 8) asks JPEG and WebP for a picture that many times smaller; the others
/// take 1 only. Decoding fails at a truncation or a serious error. The first frame or page counts.
VipsImage *tintype_vips_load(TintypeVipsLoader loader, int descriptor, int shrink);
void tintype_vips_release(VipsImage *image);

int tintype_vips_width(VipsImage *image);
int tintype_vips_height(VipsImage *image);
int tintype_vips_bands(VipsImage *image);
/// Returns the bytes of one decoded pixel.
size_t tintype_vips_pixel_size(VipsImage *image);
/// Returns the EXIF orientation, 1 to 8; 1 when there is none.
int tintype_vips_orientation(VipsImage *image);
/// Returns 1 for progressive JPEG and interlaced PNG, which need the whole picture in memory to decode.
int tintype_vips_is_interlaced(VipsImage *image);
int tintype_vips_has_alpha(VipsImage *image);
/// Returns 1 for a HEIF file whose picture is coded as AV1.
int tintype_vips_is_av1(VipsImage *image);
/// Returns the EXIF block, owned by the image, or NULL.
const void *tintype_vips_exif(VipsImage *image, size_t *length);

/// Decodes the rows above the first one that is needed, a few at a time, where libvips would hold all of them at once.
/// Returns 0 for success.
int tintype_vips_advance(VipsImage *image, int row);
VipsImage *tintype_vips_crop(VipsImage *image, int left, int top, int width, int height);
/// Returns a part that may extend beyond the image, where its edge is repeated; NULL for a part wholly outside.
VipsImage *tintype_vips_window(VipsImage *image, int left, int top, int width, int height);
/// Returns an image of the given size, interpolated (cubic) from another one: each of its pixels covers `across` by
/// `down` pixels, and the first begins at `left` and `top`.
VipsImage *tintype_vips_interpolate(
    VipsImage *image, double across, double down, double left, double top, int width, int height);
/// Resizes an image to exactly these sides, with Lanczos.
VipsImage *tintype_vips_resize(VipsImage *image, int width, int height);
/// Lays alpha, the first band behind the colours, over white, and drops it and all bands behind it.
VipsImage *tintype_vips_flatten(VipsImage *image);
/// Converts an image to 8-bit sRGB of three bands, by its ICC profile, or by its colour space if it has no usable
/// profile. Returns NULL if the result isn't of that kind.
VipsImage *tintype_vips_srgb(VipsImage *image);
/// Turns an image upright, by its EXIF orientation.
VipsImage *tintype_vips_turn(VipsImage *image, int orientation);
/// Computes all pixels at once, into memory, without metadata.
VipsImage *tintype_vips_in_memory(VipsImage *image);

/// Makes a black image of 8-bit sRGB in memory, whose pixels may be written until it is first read.
VipsImage *tintype_vips_canvas(int width, int height);
/// Returns the pixels of a canvas, row by row, three bytes each, which live as long as the image.
uint8_t *tintype_vips_canvas_pixels(VipsImage *image);
/// Computes all pixels of an image of three bytes a pixel and writes them: the first at `first`, the next of its row
/// `across` bytes further, the next of its column `down` bytes further. Returns 0 for success.
int tintype_vips_draw(VipsImage *image, uint8_t *first, ptrdiff_t across, ptrdiff_t down);

/// Returns the pixels, row by row, band by band; free them with `tintype_vips_free`.
void *tintype_vips_pixels(VipsImage *image, size_t *length);
/// Encodes an image without any metadata; free it with `tintype_vips_free`. With `smallest`, JPEG has its own Huffman
/// tables.
void *tintype_vips_encode_jpeg(VipsImage *image, int quality, int smallest, size_t *length);
void *tintype_vips_encode_webp(VipsImage *image, int quality, int effort, size_t *length);
void *tintype_vips_encode_png(VipsImage *image, size_t *length);
void tintype_vips_free(void *memory);

