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

/// Starts libvips for the process: no operation cache, one thread an operation, no messages, only the loaders
/// above. Call once, before anything else here and before other threads read the environment.
int tintype_vips_start(void);

/// Reads the header of an open file. `shrink` (1, 2, 4, 8) asks JPEG and WebP for a picture that many times smaller; the others
/// take 1 only. Decoding fails at a truncation or a serious error. The first frame or page counts.
VipsImage *tintype_vips_load(TintypeVipsLoader loader, int descriptor, int shrink);
void tintype_vips_release(VipsImage *image);

int tintype_vips_width(VipsImage *image);
int tintype_vips_height(VipsImage *image);
int tintype_vips_bands(VipsImage *image);
/// Bytes that one pixel takes when decoded.
size_t tintype_vips_pixel_size(VipsImage *image);
/// EXIF orientation, 1 to 8; 1 when there is none.
int tintype_vips_orientation(VipsImage *image);
/// 1 for progressive JPEG and interlaced PNG, which need the whole picture in memory to decode.
int tintype_vips_is_interlaced(VipsImage *image);
int tintype_vips_has_alpha(VipsImage *image);
/// 1 for a HEIF file whose picture is coded as AV1.
int tintype_vips_is_av1(VipsImage *image);
/// The EXIF block, owned by the image, or NULL.
const void *tintype_vips_exif(VipsImage *image, size_t *length);

/// Decodes the rows above one that will be the first to be used, some at a time: libvips would hold all of them at once.
/// 0 for success.
int tintype_vips_advance(VipsImage *image, int row);
VipsImage *tintype_vips_crop(VipsImage *image, int left, int top, int width, int height);
/// A part that may extend beyond the image, where its edge is repeated; NULL for one that is wholly outside.
VipsImage *tintype_vips_window(VipsImage *image, int left, int top, int width, int height);
/// An image of these sides whose pixels lie between those of the given one, cubic: `across` and `down` of them for one,
/// the first one's left edge at `left`, its top edge at `top`.
VipsImage *tintype_vips_interpolate(
    VipsImage *image, double across, double down, double left, double top, int width, int height);
/// Lanczos, to exactly these sides.
VipsImage *tintype_vips_resize(VipsImage *image, int width, int height);
/// Lays alpha, the first band behind the colours, over white, and drops it and all bands behind it.
VipsImage *tintype_vips_flatten(VipsImage *image);
/// 8-bit, three-band sRGB by the embedded ICC profile, or by the colour space where there is none that works; NULL
/// when that isn't what comes out.
VipsImage *tintype_vips_srgb(VipsImage *image);
/// Turns by an EXIF orientation.
VipsImage *tintype_vips_turn(VipsImage *image, int orientation);
/// Computes all pixels now, into memory, and keeps no metadata.
VipsImage *tintype_vips_in_memory(VipsImage *image);

/// A black image of 8-bit sRGB in memory, whose pixels may be written until it is first read.
VipsImage *tintype_vips_canvas(int width, int height);
/// The pixels of a canvas, row by row, three bytes each, as long as the image lives.
uint8_t *tintype_vips_canvas_pixels(VipsImage *image);
/// Computes all pixels of an image of three bytes a pixel and writes them: the first at `first`, the next of its row
/// `across` bytes further, the next of its column `down` bytes further. 0 for success.
int tintype_vips_draw(VipsImage *image, uint8_t *first, ptrdiff_t across, ptrdiff_t down);

/// The pixels, row by row, band by band; free with `tintype_vips_free`.
void *tintype_vips_pixels(VipsImage *image, size_t *length);
/// Encodes without any metadata; free with `tintype_vips_free`. With `smallest`, JPEG has Huffman tables of its own.
void *tintype_vips_encode_jpeg(VipsImage *image, int quality, int smallest, size_t *length);
void *tintype_vips_encode_webp(VipsImage *image, int quality, int effort, size_t *length);
void *tintype_vips_encode_png(VipsImage *image, size_t *length);
void tintype_vips_free(void *memory);

