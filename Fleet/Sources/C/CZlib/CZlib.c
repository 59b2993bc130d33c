#include "CZlib.h"

int czlib_begin_gzip(z_stream *stream) {
    // 15 is the largest window; 16 more: gzip, not zlib's own format.
    return inflateInit2(stream, 15 + 16);
}
