// Of libpng only the simplified interface: it needs no setjmp. Its formats and bounds are macros that Swift does not import.
#ifndef SIGHTLINE_CPNG_H
#define SIGHTLINE_CPNG_H
#include <png.h>

static inline png_uint_32 sl_png_version(void) { return PNG_IMAGE_VERSION; }
static inline png_uint_32 sl_png_format_gray(void) { return PNG_FORMAT_GRAY; }
static inline png_uint_32 sl_png_format_gray_alpha(void) { return PNG_FORMAT_GA; }
static inline png_uint_32 sl_png_format_rgb(void) { return PNG_FORMAT_RGB; }
static inline png_uint_32 sl_png_format_rgba(void) { return PNG_FORMAT_RGBA; }
static inline png_uint_32 sl_png_color_flag(void) { return PNG_FORMAT_FLAG_COLOR; }
static inline png_uint_32 sl_png_16_bit_is_srgb(void) { return PNG_IMAGE_FLAG_16BIT_sRGB; }
// Most bytes that the file of a picture of 8 bits a channel can have.
static inline size_t sl_png_size_max(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }
#endif
