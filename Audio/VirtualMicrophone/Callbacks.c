#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "Microphone.h"

static int on_start(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    if (m->origin == 0) m->origin = monotonic_nanoseconds();
    // A microphone hears on while nobody takes its frames.
    if (m->settings.speed > 0) m->base = microphone_clock(m) - m->taken;
    microphone_arm(m, m->taken);
    return 0;
}

static int on_stop(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    const struct itimerspec never = {0};
    timerfd_settime(m->timer, 0, &never, NULL);
    return 0;
}

static int on_prepare(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    m->base += m->taken;
    m->taken = 0;
    m->last_appl_ptr = io->appl_ptr;
    m->hw_ptr = 0;
    return 0;
}

static int on_resume(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    if (m->settings.speed > 0) m->base = microphone_clock(m) - m->taken;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    microphone_arm(m, m->taken);
    return 0;
}

static int on_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    microphone *m = io->private_data;
    snd_pcm_sw_params_get_boundary(params, &m->boundary);
    snd_pcm_sw_params_get_avail_min(params, &m->avail_min);
    if (m->avail_min == 0) m->avail_min = 1;
    if (m->avail_min > io->buffer_size) m->avail_min = io->buffer_size;
    return 0;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    if (io->state != SND_PCM_STATE_RUNNING) return (snd_pcm_sframes_t)m->hw_ptr;
    int64_t available = microphone_advance(m);
    if (available < 0) return (snd_pcm_sframes_t)available;
    if (io->state == SND_PCM_STATE_RUNNING) {
        uint64_t frames = (uint64_t)(m->taken + available);
        m->hw_ptr = m->boundary != 0 ? frames % m->boundary : frames;
    }
    return (snd_pcm_sframes_t)m->hw_ptr;
}

static void fill(const microphone *m, uint8_t *out, int64_t position, int64_t count) {
    const size_t frame = 2 * m->recording.channels;
    const int64_t length = m->recording.frames;
    const int64_t begin = m->begin + (int64_t)(m->settings.silence * m->recording.rate);
    while (count > 0) {
        int64_t at = position - begin, run = count;
        bool sounds = m->begin >= 0 && at >= 0 && length > 0 && (m->settings.loop || at < length);
        if (sounds) {
            at %= length;
            if (run > length - at) run = length - at;
            memcpy(out, m->recording.bytes + m->recording.offset + (size_t)at * frame, (size_t)run * frame);
        } else {
            if (m->begin >= 0 && at < 0 && run > -at) run = -at;
            memset(out, 0, (size_t)run * frame);
        }
        out += (size_t)run * frame;
        position += run;
        count -= run;
    }
}

static snd_pcm_sframes_t on_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size
) {
    microphone *m = io->private_data;
    // The state may have changed within the call that asks for frames.
    if (io->state == SND_PCM_STATE_DISCONNECTED) return -ENODEV;
    if (m->failing) return -EIO;
    int64_t position = m->base + m->taken + (int64_t)(io->appl_ptr - m->last_appl_ptr);
    fill(m, (uint8_t *)areas[0].addr + (areas[0].first + areas[0].step * offset) / 8, position, (int64_t)size);

    int64_t end = position + (int64_t)size;
    if (end > m->handed_to) {
        m->handed_out += end - (position > m->handed_to ? position : m->handed_to);
        m->handed_to = end;
    }
    microphone_arm(m, end - m->base);
    return (snd_pcm_sframes_t)size;
}

static int on_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned int count, unsigned short *revents) {
    microphone *m = io->private_data;
    *revents = 0;
    if (count != 1) return -EINVAL;
    if ((pfd->revents & (POLLIN | POLLERR)) == 0 && io->state == SND_PCM_STATE_RUNNING) return 0;
    int64_t available = microphone_advance(m);
    if (io->state == SND_PCM_STATE_RUNNING) {
        if (microphone_is_ready(m, available)) {
            *revents = POLLIN;
        } else {
            microphone_arm(m, m->taken);
        }
    } else if (io->state != SND_PCM_STATE_PREPARED) {
        *revents = POLLIN | POLLERR;
    }
    return 0;
}

static int on_close(snd_pcm_ioplug_t *io) {
    microphone *m = io->private_data;
    // As a driver or a sound server that hangs: libasound has no timeout.
    while (m->settings.close_hangs_file != NULL && access(m->settings.close_hangs_file, F_OK) == 0) usleep(10 * 1000);
    microphone_note(&m->settings, "close", m->handed_out);
    close(m->timer);
    recording_free(&m->recording);
    settings_free(&m->settings);
    free(m);
    return 0;
}

const snd_pcm_ioplug_callback_t microphone_callbacks = {
    .start = on_start,
    .stop = on_stop,
    .pointer = on_pointer,
    .transfer = on_transfer,
    .close = on_close,
    .sw_params = on_sw_params,
    .prepare = on_prepare,
    .resume = on_resume,
    .poll_revents = on_poll_revents,
};
