#pragma once

#include <termios.h>

// From here to vg_terminal_guard_end, no signal ends this process and leaves the terminal changed: SIGINT writes a byte
// to wake_fd instead; SIGTERM, SIGHUP and SIGQUIT restore the terminal first and then end the process as ever. Signals
// that the process handles or ignores itself are left alone. One guard at a time: EBUSY.
int vg_terminal_guard_begin(int terminal, const struct termios *original, int wake_fd);
void vg_terminal_guard_end(void);
