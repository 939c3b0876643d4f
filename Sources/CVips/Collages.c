#include "CVips.h"
#include "Images.h"

// The functions that only collages need: they draw parts of images into one image.

VipsImage *tintype_vips_window(VipsImage *image, int left, int top, int width, int height) {
    VipsRect all = {0, 0, vips_image_get_width(image), vips_image_get_height(image)};
    VipsRect window = {left, top, width, height};
    VipsRect inside;
    vips_rect_intersectrect(&all, &window, &inside);
    if (vips_rect_isempty(&inside)) {
        return NULL;
    }
    VipsImage *part = tintype_vips_crop(image, inside.left, inside.top, inside.width, inside.height);
    if (!part || vips_rect_equalsrect(&inside, &window)) {
        return part;
    }
    VipsImage *out = NULL;
    int failed = vips_embed(
        part, &out, inside.left - left, inside.top - top, width, height, "extend", VIPS_EXTEND_COPY, NULL);
    g_object_unref(part);
    return image_or_null(failed, out);
}

VipsImage *tintype_vips_interpolate(
    VipsImage *image, double across, double down, double left, double top, int width, int height) {
    VipsInterpolate *cubic = vips_interpolate_new("bicubic");
    if (!cubic) {
        return image_or_null(1, NULL);
    }
    VipsArrayInt *area = vips_array_int_newv(4, 0, 0, width, height);
    VipsImage *out = NULL;
    // libvips counts from the middle of the first pixel on both sides, and adds the offset to its own coordinates.
    int failed = vips_affine(
        image, &out, across, 0.0, 0.0, down, "interpolate", cubic, "oarea", area, "idx",
        0.5 - 0.5 / across - left, "idy", 0.5 - 0.5 / down - top, "extend", VIPS_EXTEND_COPY, NULL);
    vips_area_unref(VIPS_AREA(area));
    g_object_unref(cubic);
    return image_or_null(failed, out);
}

static void free_canvas(VipsImage *image, void *pixels) {
    (void)image;
    g_free(pixels);
}

VipsImage *tintype_vips_canvas(int width, int height) {
    size_t length = (size_t)width * (size_t)height * 3;
    void *pixels = g_try_malloc0(length);
    VipsImage *image =
        pixels ? vips_image_new_from_memory(pixels, length, width, height, 3, VIPS_FORMAT_UCHAR) : NULL;
    if (!image) {
        g_free(pixels);
        return image_or_null(1, NULL);
    }
    image->Type = VIPS_INTERPRETATION_sRGB;
    g_signal_connect(image, "postclose", G_CALLBACK(free_canvas), pixels);
    return image;
}

uint8_t *tintype_vips_canvas_pixels(VipsImage *image) {
    return (uint8_t *)vips_image_get_data(image);
}

enum { rows_at_once = 64 };

int tintype_vips_advance(VipsImage *image, int row) {
    VipsRegion *region = vips_region_new(image);
    int failed = region == NULL;
    // The last rows stay unread, since libvips may have read somewhat further than it was asked to.
    for (int top = 0; top + 2 * rows_at_once <= row && !failed; top += rows_at_once) {
        VipsRect strip = {0, top, vips_image_get_width(image), rows_at_once};
        failed = vips_region_prepare(region, &strip);
    }
    if (region) {
        g_object_unref(region);
    }
    if (failed) {
        vips_error_clear();
    }
    return failed ? -1 : 0;
}

int tintype_vips_draw(VipsImage *image, uint8_t *first, ptrdiff_t across, ptrdiff_t down) {
    if (vips_image_get_bands(image) != 3 || vips_image_get_format(image) != VIPS_FORMAT_UCHAR) {
        return -1;
    }
    int width = vips_image_get_width(image);
    int height = vips_image_get_height(image);
    VipsRegion *region = vips_region_new(image);
    int failed = region == NULL;
    for (int top = 0; top < height && !failed; top += rows_at_once) {
        VipsRect strip = {0, top, width, VIPS_MIN(rows_at_once, height - top)};
        failed = vips_region_prepare(region, &strip);
        for (int y = top; y < top + strip.height && !failed; y++) {
            const VipsPel *from = VIPS_REGION_ADDR(region, 0, y);
            uint8_t *to = first + y * down;
            for (int x = 0; x < width; x++, from += 3, to += across) {
                to[0] = from[0];
                to[1] = from[1];
                to[2] = from[2];
            }
        }
    }
    if (region) {
        g_object_unref(region);
    }
    if (failed) {
        vips_error_clear();
    }
    return failed ? -1 : 0;
}
