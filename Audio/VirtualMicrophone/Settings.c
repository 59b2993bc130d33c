#include "Settings.h"

#include <stdlib.h>
#include <string.h>

static int read_path(const char *key, snd_config_t *node, char **path) {
    const char *text;
    if (snd_config_get_string(node, &text) < 0) {
        SNDERR("%s must be a path", key);
        return -EINVAL;
    }
    char *copy = strdup(text);
    if (copy == NULL) return -ENOMEM;
    free(*path);
    *path = copy;
    return 0;
}

static int read_number(const char *key, snd_config_t *node, double least, double most, double *number) {
    double value;
    if (snd_config_get_ireal(node, &value) < 0 || !(value >= least && value <= most)) {
        SNDERR("%s must be a number from %g to %g", key, least, most);
        return -EINVAL;
    }
    *number = value;
    return 0;
}

static int read_integer(const char *key, snd_config_t *node, int64_t least, int64_t most, int64_t *number) {
    long long value;
    long narrow;
    // The configuration keeps small numbers as "integer" and large ones as "integer64".
    if (snd_config_get_integer(node, &narrow) == 0) {
        value = narrow;
    } else if (snd_config_get_integer64(node, &value) < 0) {
        value = least - 1;
    }
    if (value < least || value > most) {
        SNDERR("%s must be a whole number from %lld to %lld", key, (long long)least, (long long)most);
        return -EINVAL;
    }
    *number = value;
    return 0;
}

static int read_field(settings *s, const char *key, snd_config_t *node) {
    const int64_t last_frame = INT64_C(1) << 40;
    int64_t number = 0;
    int err;
    if (strcmp(key, "file") == 0) return read_path(key, node, &s->file);
    if (strcmp(key, "unplugged_file") == 0) return read_path(key, node, &s->unplugged_file);
    if (strcmp(key, "opened_file") == 0) return read_path(key, node, &s->opened_file);
    if (strcmp(key, "wait_for_file") == 0) return read_path(key, node, &s->wait_for_file);
    if (strcmp(key, "faults_once") == 0) return read_path(key, node, &s->faults_once);
    if (strcmp(key, "close_hangs_file") == 0) return read_path(key, node, &s->close_hangs_file);
    if (strcmp(key, "speed") == 0) return read_number(key, node, 0, 1000, &s->speed);
    if (strcmp(key, "silence") == 0) return read_number(key, node, 0, 86400, &s->silence);
    if (strcmp(key, "overrun_at") == 0) return read_integer(key, node, 0, last_frame, &s->fault_at[fault_overrun]);
    if (strcmp(key, "suspend_at") == 0) return read_integer(key, node, 0, last_frame, &s->fault_at[fault_suspend]);
    if (strcmp(key, "eio_at") == 0) return read_integer(key, node, 0, last_frame, &s->fault_at[fault_eio]);
    if (strcmp(key, "stall_at") == 0) return read_integer(key, node, 0, last_frame, &s->fault_at[fault_stall]);
    if (strcmp(key, "dead_at") == 0) return read_integer(key, node, 0, last_frame, &s->fault_at[fault_dead]);
    if (strcmp(key, "overrun_frames") == 0) return read_integer(key, node, 1, last_frame, &s->overrun_frames);
    if (strcmp(key, "loop") == 0) {
        err = snd_config_get_bool(node);
        if (err < 0) {
            SNDERR("loop must be yes or no");
            return -EINVAL;
        }
        s->loop = err;
        return 0;
    }
    if (strcmp(key, "rate") == 0) {
        err = read_integer(key, node, 1000, 192000, &number);
        if (err == 0) s->rate = (unsigned)number;
        return err;
    }
    if (strcmp(key, "channels") == 0) {
        err = read_integer(key, node, 1, 32, &number);
        if (err == 0) s->channels = (unsigned)number;
        return err;
    }
    if (strcmp(key, "open_error") == 0) {
        err = read_integer(key, node, 0, 4095, &number);
        if (err == 0) s->open_error = (int)number;
        return err;
    }
    SNDERR("unknown field %s", key);
    return -EINVAL;
}

int settings_read(settings *s, snd_config_t *configuration) {
    memset(s, 0, sizeof *s);
    s->speed = 1;
    s->overrun_frames = 1600;
    for (int kind = 0; kind < fault_kinds; kind++) s->fault_at[kind] = -1;

    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, configuration) {
        snd_config_t *node = snd_config_iterator_entry(i);
        const char *key;
        if (snd_config_get_id(node, &key) < 0) continue;
        if (strcmp(key, "comment") == 0 || strcmp(key, "type") == 0 || strcmp(key, "hint") == 0) continue;
        int err = read_field(s, key, node);
        if (err < 0) return err;
    }
    return 0;
}

void settings_free(settings *s) {
    free(s->file);
    free(s->unplugged_file);
    free(s->opened_file);
    free(s->wait_for_file);
    free(s->faults_once);
    free(s->close_hangs_file);
    memset(s, 0, sizeof *s);
}
