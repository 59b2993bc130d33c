#include "Recording.h"

#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { default_rate = 16000, default_channels = 1 };

// Over two hours at 16 kHz mono; a bound, so that a wrong path cannot take all memory.
static const off_t largest_file = 256 << 20;

static uint16_t u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t u32(const uint8_t *p) { return (uint32_t)u16(p) | (uint32_t)u16(p + 2) << 16; }

static int read_bytes(const char *path, uint8_t **bytes, size_t *count) {
    // Not blocking, or a named pipe would hold the process until somebody writes.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        int err = -errno;
        SNDERR("cannot open %s: %s", path, snd_strerror(err));
        return err;
    }
    struct stat status;
    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size > largest_file) {
        SNDERR("%s must be a regular file of at most %lld bytes", path, (long long)largest_file);
        close(fd);
        return -EINVAL;
    }
    size_t size = (size_t)status.st_size, have = 0;
    uint8_t *buffer = malloc(size + 1);
    if (buffer == NULL) {
        close(fd);
        return -ENOMEM;
    }
    while (have < size) {
        ssize_t n = read(fd, buffer + have, size - have);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        have += (size_t)n;
    }
    close(fd);
    *bytes = buffer;
    *count = have;
    return 0;
}

// RIFF, size, WAVE; then chunks of id, size and contents, each padded to an even length. `fmt ` has format tag,
// channels, rate, bytes a second, block size, bits; with tag 0xFFFE the true tag begins the GUID at byte 24.
static const char *parse_wav(recording *r, size_t count) {
    const uint8_t *bytes = r->bytes;
    bool has_format = false;
    if (count < 12 || memcmp(bytes + 8, "WAVE", 4) != 0) return "it is RIFF, but not WAVE";
    for (size_t at = 12; count - at >= 8;) {
        const uint8_t *body = bytes + at + 8;
        size_t rest = count - at - 8, size = u32(bytes + at + 4);
        if (memcmp(bytes + at, "fmt ", 4) == 0) {
            if (size < 16 || size > rest) return "its fmt chunk is cut short";
            unsigned tag = u16(body);
            if (tag == 0xFFFE) tag = size >= 26 ? u16(body + 24) : 0;
            if (tag != 1 || u16(body + 14) != 16) return "its samples are not 16-bit PCM";
            r->channels = u16(body + 2);
            r->rate = u32(body + 4);
            has_format = true;
        } else if (memcmp(bytes + at, "data", 4) == 0) {
            if (!has_format) return "it has no fmt chunk before its data";
            // Files written to a pipe lie about this size; what is there counts.
            if (size > rest) size = rest;
            r->offset = at + 8;
            r->frames = r->channels == 0 ? 0 : (int64_t)(size / (2 * r->channels));
            return NULL;
        }
        if (size > rest) break;
        at += 8 + size;
        if (size % 2 == 1 && at < count) at += 1;
    }
    return "it has no data chunk";
}

int recording_read(recording *r, const char *path, unsigned rate, unsigned channels) {
    memset(r, 0, sizeof *r);
    r->rate = rate != 0 ? rate : default_rate;
    r->channels = channels != 0 ? channels : default_channels;
    if (path == NULL) return 0;

    size_t count = 0;
    int err = read_bytes(path, &r->bytes, &count);
    if (err < 0) return err;
    if (count < 4 || memcmp(r->bytes, "RIFF", 4) != 0) {
        r->frames = (int64_t)(count / (2 * r->channels));
        return 0;
    }
    const char *problem = parse_wav(r, count);
    if (problem == NULL && (r->channels < 1 || r->channels > 32 || r->rate < 1000 || r->rate > 192000)) {
        problem = "its rate or its number of channels is out of bounds";
    }
    if (problem == NULL && ((rate != 0 && rate != r->rate) || (channels != 0 && channels != r->channels))) {
        problem = "its rate or channels differ from those configured";
    }
    if (problem != NULL) {
        SNDERR("%s cannot be played: %s", path, problem);
        recording_free(r);
        return -EINVAL;
    }
    return 0;
}

void recording_free(recording *r) {
    free(r->bytes);
    memset(r, 0, sizeof *r);
}
