#pragma once

#include <stddef.h>
#include <stdint.h>

/// Signed 16-bit little-endian samples, interleaved, as they stood in the file. Owns its bytes.
typedef struct {
    uint8_t *bytes;
    // Where the samples begin within the bytes.
    size_t offset;
    int64_t frames;
    unsigned rate;
    unsigned channels;
} recording;

/// Reads the whole file, so that a file that is cut short later cannot end the process (a mapped one could, by SIGBUS).
///
/// A file that begins with RIFF is read as WAV, any other as samples alone. `rate` and `channels` are what the
/// configuration says, 0 for nothing: a WAV file must agree with them.
/// 0, or a negative error number after telling ALSA's error handler why.
int recording_read(recording *r, const char *path, unsigned rate, unsigned channels);
void recording_free(recording *r);
