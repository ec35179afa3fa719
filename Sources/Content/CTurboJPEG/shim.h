// libjpeg-turbo by its TurboJPEG interface, which needs no setjmp.
#ifndef SIGHTLINE_CTURBOJPEG_H
#define SIGHTLINE_CTURBOJPEG_H
#include <turbojpeg.h>
#endif
