#pragma once
#include <linux/videodev2.h>

// Macros that Swift cannot read: requests, and formats by their four letters.
static const unsigned long v4l2_query_capabilities = VIDIOC_QUERYCAP;
static const unsigned long v4l2_set_format = VIDIOC_S_FMT;
static const unsigned long v4l2_request_buffers = VIDIOC_REQBUFS;
static const unsigned long v4l2_query_buffer = VIDIOC_QUERYBUF;
static const unsigned long v4l2_queue_buffer = VIDIOC_QBUF;
static const unsigned long v4l2_dequeue_buffer = VIDIOC_DQBUF;
static const unsigned long v4l2_stream_on = VIDIOC_STREAMON;
static const unsigned long v4l2_stream_off = VIDIOC_STREAMOFF;
static const unsigned int v4l2_yuyv = V4L2_PIX_FMT_YUYV;
static const unsigned int v4l2_mjpeg = V4L2_PIX_FMT_MJPEG;
