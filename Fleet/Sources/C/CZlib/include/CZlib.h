#pragma once

#include <zlib.h>

/// Begins to read gzip (RFC 1952). A macro in C (inflateInit2). Returns zlib's code.
int czlib_begin_gzip(z_stream *stream);
