#define _GNU_SOURCE
#include "CVips.h"
#include "Images.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

static void ignore_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain;
    (void)level;
    (void)message;
    (void)data;
}

// Debian builds HEIF, JPEG XL, ImageMagick, PDF and slide support as modules, and vips_init() loads all of them, for
// decoders that stay blocked: 0.5 ms of each job (Documentation/Decisions/0011-the-cage.md). So the module folder is hidden
// from vips_init(), and the HEIF module alone is loaded from beside the library.
static void load_heif_module(void) {
    Dl_info library;
    if (vips_type_find("VipsOperation", "heifload") || !dladdr((void *)vips_init, &library)) {
        return;
    }
    char *folder = g_path_get_dirname(library.dli_fname);
    char *path = g_strdup_printf(
        "%s/vips-modules-%d.%d/vips-heif.so", folder, vips_version(0), vips_version(1));
    g_module_open(path, G_MODULE_BIND_LOCAL);
    g_free(path);
    g_free(folder);
}

int tintype_vips_start(void) {
    g_log_set_handler(
        "VIPS", G_LOG_LEVEL_MASK | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, ignore_message, NULL);
    const char *home = g_getenv("VIPSHOME");
    char *kept = g_strdup(home);
    g_setenv("VIPSHOME", "/nonexistent", TRUE);
    int result = vips_init("tintype");
    if (kept) {
        g_setenv("VIPSHOME", kept, TRUE);
    } else {
        g_unsetenv("VIPSHOME");
    }
    g_free(kept);
    if (result) {
        return result;
    }
    load_heif_module();

    vips_cache_set_max(0);
    vips_concurrency_set(1);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    static const char *const allowed[] = {
        "VipsForeignLoadJpeg", "VipsForeignLoadPng",  "VipsForeignLoadWebp",
        "VipsForeignLoadNsgif", "VipsForeignLoadHeif", "VipsForeignLoadTiff",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(allowed); i++) {
        vips_operation_block_set(allowed[i], FALSE);
    }
    return 0;
}

// Lab of 8 bits and LogLuv come packed (VIPS_CODING_LABQ, VIPS_CODING_RAD); most operations take numbers only.
static VipsImage *unpacked(VipsImage *image) {
    VipsImage *out = NULL;
    int failed = vips_image_decode(image, &out);
    g_object_unref(image);
    return image_or_null(failed, out);
}

VipsImage *tintype_vips_load(TintypeVipsLoader loader, int descriptor, int shrink) {
    // Another picture may have been read from the same descriptor.
    lseek(descriptor, 0, SEEK_SET);
    VipsSource *source = vips_source_new_from_descriptor(descriptor);
    if (!source) {
        return image_or_null(1, NULL);
    }
    VipsImage *out = NULL;
    int failed = 1;
    switch (loader) {
    case TINTYPE_VIPS_JPEG:
        failed = vips_jpegload_source(
            source, &out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
        break;
    case TINTYPE_VIPS_PNG:
        failed = vips_pngload_source(
            source, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
        break;
    case TINTYPE_VIPS_WEBP:
        failed = vips_webpload_source(
            source, &out, "scale", 1.0 / shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR,
            NULL);
        break;
    case TINTYPE_VIPS_GIF:
        failed = vips_gifload_source(
            source, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
        break;
    case TINTYPE_VIPS_HEIF:
        failed = vips_heifload_source(
            source, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
        break;
    case TINTYPE_VIPS_TIFF:
        failed = vips_tiffload_source(
            source, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
        break;
    }
    g_object_unref(source);
    VipsImage *image = image_or_null(failed, out);
    return image ? unpacked(image) : NULL;
}

void tintype_vips_release(VipsImage *image) {
    g_object_unref(image);
}

int tintype_vips_width(VipsImage *image) {
    return vips_image_get_width(image);
}

int tintype_vips_height(VipsImage *image) {
    return vips_image_get_height(image);
}

int tintype_vips_bands(VipsImage *image) {
    return vips_image_get_bands(image);
}

size_t tintype_vips_pixel_size(VipsImage *image) {
    return VIPS_IMAGE_SIZEOF_PEL(image);
}

int tintype_vips_orientation(VipsImage *image) {
    return vips_image_get_orientation(image);
}

int tintype_vips_is_interlaced(VipsImage *image) {
    int scans = 0;
    if (vips_image_get_typeof(image, "jpeg-multiscan") != 0) {
        vips_image_get_int(image, "jpeg-multiscan", &scans);
    }
    return scans != 0 || vips_image_get_typeof(image, "interlaced") != 0;
}

int tintype_vips_has_alpha(VipsImage *image) {
    return vips_image_hasalpha(image);
}

int tintype_vips_is_av1(VipsImage *image) {
    const char *compression = NULL;
    if (vips_image_get_typeof(image, "heif-compression") == 0
        || vips_image_get_string(image, "heif-compression", &compression)) {
        return 0;
    }
    return strcmp(compression, "av1") == 0;
}

const void *tintype_vips_exif(VipsImage *image, size_t *length) {
    const void *block = NULL;
    *length = 0;
    if (vips_image_get_typeof(image, VIPS_META_EXIF_NAME) == 0
        || vips_image_get_blob(image, VIPS_META_EXIF_NAME, &block, length)) {
        return NULL;
    }
    return block;
}

VipsImage *tintype_vips_crop(VipsImage *image, int left, int top, int width, int height) {
    VipsImage *out = NULL;
    return image_or_null(vips_extract_area(image, &out, left, top, width, height, NULL), out);
}

VipsImage *tintype_vips_resize(VipsImage *image, int width, int height) {
    VipsImage *out = NULL;
    double across = (double)width / vips_image_get_width(image);
    double down = (double)height / vips_image_get_height(image);
    return image_or_null(vips_resize(image, &out, across, "vscale", down, NULL), out);
}

// White in the picture's own colour space; 0 for a space where that isn't the same number in each band.
static double white_level(VipsImage *image) {
    switch (vips_image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_B_W:
        return vips_image_get_format(image) == VIPS_FORMAT_UCHAR ? 255 : 0;
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_GREY16:
        return vips_image_get_format(image) == VIPS_FORMAT_USHORT ? 65535 : 0;
    default:
        return 0;
    }
}

static VipsImage *flatten_on(VipsImage *image, double level) {
    VipsImage *out = NULL;
    VipsArrayDouble *white = vips_array_double_newv(1, level);
    int failed = vips_flatten(image, &out, "background", white, "max_alpha", level, NULL);
    vips_area_unref(VIPS_AREA(white));
    return image_or_null(failed, out);
}


// A profile that is damaged or of another kind than the pixels doesn't make a picture unreadable: its pixels
// are then taken for the standard space.
static VipsImage *by_profile(VipsImage *image) {
    VipsImage *out = NULL;
    gboolean cmyk = vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK;
    gboolean profile = vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0;
    if (!cmyk && !profile) {
        return NULL;
    }
    int failed = vips_icc_transform(
        image, &out, "srgb", "embedded", profile, "input_profile", cmyk ? "cmyk" : "srgb", "intent",
        VIPS_INTENT_RELATIVE, "depth", 8, NULL);
    return image_or_null(failed, out);
}

static VipsImage *as_srgb(VipsImage *image) {
    VipsImage *profiled = by_profile(image);
    if (profiled) {
        return profiled;
    }
    VipsImage *out = NULL;
    return image_or_null(vips_colourspace(image, &out, VIPS_INTERPRETATION_sRGB, NULL), out);
}

VipsImage *tintype_vips_srgb(VipsImage *image) {
    VipsImage *srgb = as_srgb(image);
    if (!srgb) {
        return NULL;
    }
    VipsImage *out = NULL;
    int bands = vips_image_get_bands(srgb);
    VipsBandFormat format = vips_image_get_format(srgb);
    int failed = bands < 3 || format != VIPS_FORMAT_UCHAR || vips_extract_band(srgb, &out, 0, "n", 3, NULL);
    g_object_unref(srgb);
    return image_or_null(failed, out);
}

// TIFF knows further bands behind the alpha, with a meaning of their own. Nothing here shows them.
static VipsImage *without_extra_bands(VipsImage *image) {
    VipsImage *out = NULL;
    VipsInterpretation space = vips_image_get_interpretation(image);
    int colours = space == VIPS_INTERPRETATION_CMYK                                              ? 4
                  : space == VIPS_INTERPRETATION_B_W || space == VIPS_INTERPRETATION_GREY16 ? 1
                                                                                                 : 3;
    int bands = VIPS_MIN(vips_image_get_bands(image), colours + 1);
    return image_or_null(vips_extract_band(image, &out, 0, "n", bands, NULL), out);
}

VipsImage *tintype_vips_flatten(VipsImage *image) {
    VipsImage *known = without_extra_bands(image);
    if (!known) {
        return NULL;
    }
    double level = white_level(known);
    VipsImage *converted = level > 0 ? g_object_ref(known) : as_srgb(known);
    g_object_unref(known);
    if (!converted) {
        return NULL;
    }
    VipsImage *out = flatten_on(converted, level > 0 ? level : 255);
    g_object_unref(converted);
    return out;
}

VipsImage *tintype_vips_turn(VipsImage *image, int orientation) {
    static const struct {
        VipsAngle angle;
        gboolean mirrored;
    } turns[] = {
        [1] = {VIPS_ANGLE_D0, FALSE},   [2] = {VIPS_ANGLE_D0, TRUE},   [3] = {VIPS_ANGLE_D180, FALSE},
        [4] = {VIPS_ANGLE_D180, TRUE},  [5] = {VIPS_ANGLE_D90, TRUE},  [6] = {VIPS_ANGLE_D90, FALSE},
        [7] = {VIPS_ANGLE_D270, TRUE},  [8] = {VIPS_ANGLE_D270, FALSE},
    };
    if (orientation < 1 || orientation > 8) {
        orientation = 1;
    }
    VipsImage *turned = NULL;
    if (vips_rot(image, &turned, turns[orientation].angle, NULL)) {
        return image_or_null(1, turned);
    }
    if (!turns[orientation].mirrored) {
        return turned;
    }
    VipsImage *out = NULL;
    int failed = vips_flip(turned, &out, VIPS_DIRECTION_HORIZONTAL, NULL);
    g_object_unref(turned);
    return image_or_null(failed, out);
}

VipsImage *tintype_vips_in_memory(VipsImage *image) {
    VipsImage *out = vips_image_copy_memory(image);
    if (!out) {
        return image_or_null(1, NULL);
    }
    char **fields = vips_image_get_fields(out);
    for (char **field = fields; *field; field++) {
        vips_image_remove(out, *field);
    }
    g_strfreev(fields);
    return out;
}

static void *bytes_or_null(int failed, void *bytes) {
    if (failed) {
        vips_error_clear();
        return NULL;
    }
    return bytes;
}

void *tintype_vips_pixels(VipsImage *image, size_t *length) {
    void *pixels = vips_image_write_to_memory(image, length);
    return bytes_or_null(pixels == NULL, pixels);
}

void *tintype_vips_encode_jpeg(VipsImage *image, int quality, int smallest, size_t *length) {
    void *bytes = NULL;
    int failed = vips_jpegsave_buffer(
        image, &bytes, length, "Q", quality, "optimize_coding", smallest, "strip", TRUE, NULL);
    return bytes_or_null(failed, bytes);
}

void *tintype_vips_encode_webp(VipsImage *image, int quality, int effort, size_t *length) {
    void *bytes = NULL;
    int failed =
        vips_webpsave_buffer(image, &bytes, length, "Q", quality, "effort", effort, "strip", TRUE, NULL);
    return bytes_or_null(failed, bytes);
}

void *tintype_vips_encode_png(VipsImage *image, size_t *length) {
    void *bytes = NULL;
    int failed = vips_pngsave_buffer(
        image, &bytes, length, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, "strip", TRUE, NULL);
    return bytes_or_null(failed, bytes);
}

void tintype_vips_free(void *memory) {
    g_free(memory);
}

