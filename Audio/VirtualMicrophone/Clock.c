#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#include "Microphone.h"

// How often flag files are looked at while no frames are due.
static const uint64_t look_around = 10 * 1000 * 1000;

uint64_t monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool exists(const char *path) { return path != NULL && access(path, F_OK) == 0; }

int64_t microphone_clock(const microphone *m) {
    if (m->settings.speed == 0) return m->base + m->taken + (m->begin < 0 ? 0 : (int64_t)m->io.buffer_size);
    return (int64_t)((double)(monotonic_nanoseconds() - m->origin) * 1e-9 * m->io.rate * m->settings.speed);
}

static fault_kind next_fault(const microphone *m) {
    fault_kind next = fault_none;
    for (int kind = 0; kind < fault_kinds; kind++) {
        int64_t at = m->settings.fault_at[kind];
        if (at >= 0 && (next == fault_none || at < m->settings.fault_at[next])) next = (fault_kind)kind;
    }
    return next;
}

// Whether this fault happens to this device: with `faults_once`, only if no device before had it.
static bool claim(microphone *m, fault_kind kind) {
    m->settings.fault_at[kind] = -1;
    if (m->settings.faults_once == NULL) return true;
    int fd = open(m->settings.faults_once, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    close(fd);
    return true;
}

static void update_taken(microphone *m) {
    snd_pcm_uframes_t now = m->io.appl_ptr, before = m->last_appl_ptr;
    int64_t step = (int64_t)now - (int64_t)before;
    if (step < 0 && m->boundary != 0 && (uint64_t)-step > m->boundary / 2) step += (int64_t)m->boundary;
    m->taken += step;
    m->last_appl_ptr = now;
}

int64_t microphone_advance(microphone *m) {
    if (m->io.state == SND_PCM_STATE_XRUN) return -EPIPE;
    if (m->io.state != SND_PCM_STATE_RUNNING) return 0;
    update_taken(m);
    if (exists(m->settings.unplugged_file)) {
        snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_DISCONNECTED);
        return 0;
    }
    if (m->begin < 0 && exists(m->settings.wait_for_file)) m->begin = microphone_clock(m);

    int64_t position = m->base + m->taken, clock = microphone_clock(m), end = clock;
    fault_kind fault = next_fault(m);
    while (fault != fault_none && position >= m->settings.fault_at[fault]) {
        if (fault == fault_stall || fault == fault_dead) {
            if (m->lasting != fault && !claim(m, fault)) {
                fault = next_fault(m);
                continue;
            }
            m->lasting = fault;
            m->settings.fault_at[fault] = position;
            if (fault == fault_stall) return 0;
            // As a sound server that was killed: every recovery seems to work, and nothing ever comes.
            snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_XRUN);
            return -EPIPE;
        }
        // An overrun is only seen when frames went by that nobody took.
        if (fault == fault_overrun && m->settings.speed > 0 && clock < position + m->settings.overrun_frames) return 0;
        if (claim(m, fault)) {
            if (fault == fault_overrun) {
                if (m->settings.speed == 0) m->base += m->settings.overrun_frames;
                snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_XRUN);
                return -EPIPE;
            }
            if (fault == fault_suspend) {
                snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_SUSPENDED);
                return 0;
            }
            m->failing = true;
        }
        fault = next_fault(m);
    }
    if (fault != fault_none && end > m->settings.fault_at[fault]) end = m->settings.fault_at[fault];
    if (end - position > (int64_t)m->io.buffer_size) {
        snd_pcm_ioplug_set_state(&m->io, SND_PCM_STATE_XRUN);
        return -EPIPE;
    }
    return end > position ? end - position : 0;
}

bool microphone_is_ready(const microphone *m, int64_t available) {
    if (available >= (int64_t)m->avail_min || m->failing) return true;
    fault_kind fault = next_fault(m);
    // The last frames before a fault may be fewer than the application asked to be woken for.
    return available > 0 && fault != fault_none && m->base + m->taken + available >= m->settings.fault_at[fault];
}

void microphone_arm(microphone *m, int64_t taken) {
    const bool watches = m->settings.unplugged_file != NULL || m->begin < 0;
    int64_t position = m->base + taken, target = position + (int64_t)m->avail_min;
    bool never = false;
    fault_kind fault = next_fault(m);
    if (fault != fault_none && target > m->settings.fault_at[fault]) {
        target = m->settings.fault_at[fault];
        if (position >= target) {
            never = m->lasting == fault_stall;
            if (fault == fault_overrun) target = position + m->settings.overrun_frames;
        }
    }
    if (m->settings.speed == 0 && m->begin < 0) never = true;

    uint64_t at = 1;
    if (m->settings.speed > 0) {
        at = m->origin + (uint64_t)((double)target * 1e9 / (m->io.rate * m->settings.speed)) + 1;
    }
    if (watches || never) {
        uint64_t look = monotonic_nanoseconds() + look_around;
        if (never || look < at) at = look;
    }
    struct itimerspec when = {.it_value = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)}};
    if (never && !watches) when.it_value = (struct timespec){0, 0};
    timerfd_settime(m->timer, TFD_TIMER_ABSTIME, &when, NULL);
}
