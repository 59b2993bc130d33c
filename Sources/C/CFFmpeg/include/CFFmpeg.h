// The part of FFmpeg's libraries that VoiceGate uses to read compressed sound, loaded at run time: they are recommended by the
// package, not required. The structures are those of the headers of the build, so only the sonames of these headers are loaded.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct vg_media vg_media;

// Loads libavutil, libavcodec and libavformat. Returns 0, or -1 with the reason in `message`. Call it once, before any other
// function, and before the process is confined.
int vg_media_load(char message[], size_t length);

// Reads the next bytes: their number, or 0 at the end.
typedef int (*vg_media_source)(void *context, uint8_t *target, int count);
// As lseek(2), without SEEK_END.
typedef int64_t (*vg_media_seek)(void *context, int64_t offset, int whence);

// Opens the first sound of a file, which is read by the functions and nothing else: no other file and no network. `seek`: NULL if
// it cannot be read at any place; `length`: in bytes, or -1. NULL if it is not a known format, or has no sound of a known codec.
vg_media *vg_media_open(void *context, vg_media_source source, vg_media_seek seek, int64_t length);
void vg_media_close(vg_media *media);

// Seconds by the header, or a negative number.
double vg_media_duration(const vg_media *media);

// A piece of sound: interleaved samples, −1…1, valid until the next call.
typedef struct {
    const float *samples;
    int frames;
    int channels;
    int rate;
} vg_media_piece;

// 1, 0 at the end, or negative without memory. What cannot be decoded is left out; `vg_media_lost` counts it. Rate and channels can
// change from piece to piece.
int vg_media_read(vg_media *media, vg_media_piece *piece);

// Packets that could not be decoded since the last piece.
int vg_media_lost(const vg_media *media);

// Whether the end is one of the format's reader, rather than of the file.
int vg_media_is_broken(const vg_media *media);
