#pragma once

#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdint.h>

enum { fault_kinds = 5 };

typedef enum { fault_overrun, fault_suspend, fault_eio, fault_stall, fault_dead, fault_none = fault_kinds } fault_kind;

/// What the configuration says. Owns its strings.
typedef struct {
    char *file;
    char *unplugged_file;
    char *opened_file;
    char *wait_for_file;
    char *faults_once;
    char *close_hangs_file;
    double speed;
    double silence;
    bool loop;
    // 0 where the configuration says nothing.
    unsigned rate;
    unsigned channels;
    int open_error;
    int64_t overrun_frames;
    // -1 where no fault of that kind is wanted.
    int64_t fault_at[fault_kinds];
} settings;

/// 0, or a negative error number after telling ALSA's error handler why.
int settings_read(settings *s, snd_config_t *configuration);
void settings_free(settings *s);
