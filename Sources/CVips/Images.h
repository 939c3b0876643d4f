#pragma once

#include <vips/vips.h>

// Returns the image, or after a failure releases it and returns NULL. The error buffer is shared by all threads, so its
// text can't be shown to anyone; it only has to stay short.
static inline VipsImage *image_or_null(int failed, VipsImage *image) {
    if (!failed) {
        return image;
    }
    vips_error_clear();
    if (image) {
        g_object_unref(image);
    }
    return NULL;
}
