// ALSA's headers make the version symbol that its loader looks for only in code that says it is position-independent.
#ifndef PIC
#define PIC 1
#endif

#include "VirtualMicrophone.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "Microphone.h"

void microphone_note(const settings *s, const char *what, int64_t number) {
    if (s->opened_file == NULL) return;
    char line[128];
    int length = snprintf(
        line, sizeof line, "%s %ld %llu %lld\n", what, (long)getpid(), (unsigned long long)monotonic_nanoseconds(),
        (long long)number);
    int fd = open(s->opened_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0) return;
    // One write, so that lines of several processes do not mix.
    if (write(fd, line, (size_t)length) < 0) SNDERR("cannot write %s", s->opened_file);
    close(fd);
}

static int set_constraints(microphone *m) {
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE};
    const unsigned frame = 2 * m->recording.channels;
    int err = snd_pcm_ioplug_set_param_list(&m->io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    if (err >= 0) err = snd_pcm_ioplug_set_param_list(&m->io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    if (err >= 0) {
        err = snd_pcm_ioplug_set_param_minmax(
            &m->io, SND_PCM_IOPLUG_HW_CHANNELS, m->recording.channels, m->recording.channels);
    }
    if (err >= 0) {
        err = snd_pcm_ioplug_set_param_minmax(
            &m->io, SND_PCM_IOPLUG_HW_RATE, m->recording.rate, m->recording.rate);
    }
    if (err >= 0) {
        err = snd_pcm_ioplug_set_param_minmax(&m->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 32 * frame, 32768 * frame);
    }
    if (err >= 0) {
        err = snd_pcm_ioplug_set_param_minmax(&m->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 64 * frame, 131072 * frame);
    }
    if (err >= 0) err = snd_pcm_ioplug_set_param_minmax(&m->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
    return err;
}

static int open_microphone(snd_pcm_t **pcmp, const char *name, microphone *m, snd_pcm_stream_t stream, int mode) {
    if (stream != SND_PCM_STREAM_CAPTURE) {
        SNDERR("voicegate is a microphone; nothing can be played into it");
        return -EINVAL;
    }
    if (m->settings.open_error != 0) return -m->settings.open_error;
    // What a card that is not there gives.
    if (m->settings.unplugged_file != NULL && access(m->settings.unplugged_file, F_OK) == 0) return -ENOENT;

    int err = recording_read(&m->recording, m->settings.file, m->settings.rate, m->settings.channels);
    if (err < 0) return err;
    m->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (m->timer < 0) return -errno;
    m->begin = m->settings.wait_for_file == NULL ? 0 : -1;
    m->avail_min = 1;
    m->lasting = fault_none;
    m->io.version = SND_PCM_IOPLUG_VERSION;
    m->io.name = "VoiceGate virtual microphone";
    m->io.flags = SND_PCM_IOPLUG_FLAG_LISTED | SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    m->io.poll_fd = m->timer;
    m->io.poll_events = POLLIN;
    m->io.callback = &microphone_callbacks;
    m->io.private_data = m;
    err = snd_pcm_ioplug_create(&m->io, name, stream, mode);
    if (err < 0) return err;
    err = set_constraints(m);
    if (err < 0) {
        // Frees the microphone through its close callback.
        snd_pcm_ioplug_delete(&m->io);
        return 1;
    }
    microphone_note(&m->settings, "open", 0);
    *pcmp = m->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(voicegate) {
    (void)root;
    microphone *m = calloc(1, sizeof *m);
    if (m == NULL) return -ENOMEM;
    m->timer = -1;
    int err = settings_read(&m->settings, conf);
    if (err == 0) err = open_microphone(pcmp, name, m, stream, mode);
    if (err == 0) return 0;
    if (err > 0) return -EINVAL;
    microphone_note(&m->settings, "refused", -err);
    if (m->timer >= 0) close(m->timer);
    recording_free(&m->recording);
    settings_free(&m->settings);
    free(m);
    return err;
}

SND_PCM_PLUGIN_SYMBOL(voicegate);
