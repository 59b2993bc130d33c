#pragma once

#include <sys/types.h>

// The targets of the attempts, outside a role. All of it belongs to the user who runs the probe.
struct outside {
    // Has a file `letter`, a folder `empty`, a stream socket `stream`, a datagram socket `datagram`; abstract sockets have its
    // path as their name. Its `readable` is readable for the role and has a file `model`; its `work` is writable if the role
    // writes.
    const char *folder;
    // Another process.
    pid_t victim;
    // Of a System V queue, segment and semaphore; the POSIX queue is /KEY in decimal.
    int key;
    // A listener on the loopback device.
    int port;
};

struct attempt {
    const char *name;
    // 0: it was done; -1: with errno.
    int (*act)(const struct outside *outside);
    // Any answer but a refusal counts as done: the call got through to the kernel.
    int counts_any_answer;
};

// A descriptor of a terminal.
enum { TERMINAL = 60 };

extern const struct attempt attempts[];
extern const int attempt_count;
