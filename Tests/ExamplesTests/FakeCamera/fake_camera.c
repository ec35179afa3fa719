// A camera for a program that is started with this library before all others (LD_PRELOAD): it answers for one path as Linux does for
// a camera, with the frames of a file. Each is a length of four bytes and so many bytes. After the last one it is pulled out.
//
// FAKE_CAMERA: the path; FAKE_CAMERA_FRAMES: the file; FAKE_CAMERA_FORMAT: YUYV or MJPG; FAKE_CAMERA_SIZE: 640x480.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int camera = -1;
static FILE *frames;
static unsigned width, height, format, length;
static unsigned waiting[8];
static unsigned first, count, number;
static int isStreaming;

static int open_camera(void) {
  const char *name = getenv("FAKE_CAMERA_FORMAT");
  if (sscanf(getenv("FAKE_CAMERA_SIZE"), "%ux%u", &width, &height) != 2) abort();
  format = v4l2_fourcc(name[0], name[1], name[2], name[3]);
  frames = fopen(getenv("FAKE_CAMERA_FRAMES"), "r");
  if (!frames) abort();
  camera = memfd_create("camera", MFD_CLOEXEC);
  return camera;
}

static int is_camera(const char *path) {
  const char *name = getenv("FAKE_CAMERA");
  return name && strcmp(path, name) == 0;
}

int open(const char *path, int flags, ...) {
  if (is_camera(path)) return open_camera();
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  int (*original)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  return original(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  if (is_camera(path)) return open_camera();
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  int (*original)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  return original(path, flags, mode);
}

static int fail(int reason) {
  errno = reason;
  return -1;
}

static int dequeue(struct v4l2_buffer *buffer) {
  uint32_t size;
  if (!isStreaming || count == 0) return fail(EINVAL);
  if (fread(&size, 4, 1, frames) != 1) return fail(ENODEV);
  if (size > length) return fail(EIO);
  char *bytes = malloc(size);
  unsigned index = waiting[first];
  if (fread(bytes, 1, size, frames) != size || pwrite(camera, bytes, size, (off_t)index * length) != size) abort();
  free(bytes);
  first = (first + 1) % 8;
  count--;
  buffer->index = index;
  buffer->bytesused = size;
  buffer->timestamp.tv_sec = 100 + number / 30;
  buffer->timestamp.tv_usec = number % 30 * 1000000 / 30;
  number++;
  return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *value = va_arg(rest, void *);
  va_end(rest);
  if (camera < 0 || descriptor != camera) {
    int (*original)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    return original(descriptor, request, value);
  }
  struct v4l2_buffer *buffer = value;
  switch (request) {
  case VIDIOC_QUERYCAP: {
    struct v4l2_capability *ability = value;
    ability->capabilities = V4L2_CAP_DEVICE_CAPS;
    ability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
  }
  case VIDIOC_S_FMT: {
    // As drivers do: what is asked for is replaced by what there is.
    struct v4l2_format *asked = value;
    if (asked->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return fail(EINVAL);
    asked->fmt.pix.width = width;
    asked->fmt.pix.height = height;
    asked->fmt.pix.pixelformat = format;
    // Rows are longer than they need to be.
    asked->fmt.pix.bytesperline = format == V4L2_PIX_FMT_YUYV ? 2 * width + 32 : 0;
    // Whole pages.
    length = ((2 * width + 32) * height + 4095) / 4096 * 4096;
    return 0;
  }
  case VIDIOC_REQBUFS: {
    struct v4l2_requestbuffers *asked = value;
    if (asked->memory != V4L2_MEMORY_MMAP) return fail(EINVAL);
    if (asked->count > 3) asked->count = 3;
    return ftruncate(camera, (off_t)asked->count * length);
  }
  case VIDIOC_QUERYBUF:
    buffer->length = length;
    buffer->m.offset = buffer->index * length;
    return 0;
  case VIDIOC_QBUF:
    if (buffer->index >= 3 || count == 8) return fail(EINVAL);
    waiting[(first + count) % 8] = buffer->index;
    count++;
    return 0;
  case VIDIOC_DQBUF: return dequeue(buffer);
  case VIDIOC_STREAMON:
    isStreaming = 1;
    return 0;
  case VIDIOC_STREAMOFF:
    isStreaming = 0;
    return 0;
  }
  return fail(ENOTTY);
}
