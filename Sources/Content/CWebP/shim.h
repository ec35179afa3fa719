#ifndef SIGHTLINE_CWEBP_H
#define SIGHTLINE_CWEBP_H
#include <webp/decode.h>
#endif
