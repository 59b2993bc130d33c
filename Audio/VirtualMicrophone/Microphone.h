#pragma once

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include "Recording.h"
#include "Settings.h"

/// One open device. A *position* counts frames since the first start of this device; it goes on over overruns.
typedef struct {
    snd_pcm_ioplug_t io;
    settings settings;
    recording recording;
    int timer;
    // CLOCK_MONOTONIC nanoseconds of position 0; 0 before the first start.
    uint64_t origin;
    // Position of the frame that ALSA counts as 0; it counts from 0 after each prepare.
    int64_t base;
    // Frames that the application took since the last prepare, and ALSA's own pointer, which wraps at the boundary.
    int64_t taken;
    snd_pcm_uframes_t last_appl_ptr;
    snd_pcm_uframes_t boundary;
    snd_pcm_uframes_t avail_min;
    // What `pointer` last said.
    snd_pcm_uframes_t hw_ptr;
    // Position at which the recording begins; -1 while wait_for_file is not there.
    int64_t begin;
    // Frames handed out, and the position after the last of them: under mmap ALSA asks for the same frames again.
    int64_t handed_out;
    int64_t handed_to;
    // Every transfer fails from now on.
    bool failing;
    // A stall or death that has begun; it does not end.
    fault_kind lasting;
} microphone;

uint64_t monotonic_nanoseconds(void);

/// Frames that exist now and were not taken; fires the fault that is due. -EPIPE after an overrun.
int64_t microphone_advance(microphone *m);
/// Sets the timer to when the next `avail_min` frames will be there, if the application has `taken` frames by then.
void microphone_arm(microphone *m, int64_t taken);
/// The position that the clock shows.
int64_t microphone_clock(const microphone *m);
/// Whether `microphone_advance` said enough for the application to be woken.
bool microphone_is_ready(const microphone *m, int64_t available);

extern const snd_pcm_ioplug_callback_t microphone_callbacks;
/// Appends a line to the configured `opened_file`.
void microphone_note(const settings *s, const char *what, int64_t number);
