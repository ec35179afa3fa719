// zlib's stream initialisers are macros with arguments, which Swift does not import.
#ifndef SIGHTLINE_CZLIB_H
#define SIGHTLINE_CZLIB_H
#include <zlib.h>

// A gzip stream (window 15, header and trailer of RFC 1952).
static inline int sl_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

static inline int sl_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// A raw deflate stream, as zip archives hold it (window 15, no header, no trailer).
static inline int sl_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -15); }

static inline int sl_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
#endif
