#pragma once

#include <termios.h>

// From here to vg_terminal_guard_end, no signal ends this process and leaves the terminal changed: SIGINT writes a byte
// to wake_fd instead; SIGTERM, SIGHUP and SIGQUIT restore the terminal first and then end the process as ever. Signals
// that the process handles or ignores itself are left alone. One guard at a time: EBUSY.
int vg_terminal_guard_begin(int terminal, const struct termios *original, int wake_fd);
void vg_terminal_guard_end(void);

// wcwidth(3), which Swift cannot see behind _XOPEN_SOURCE, by the Unicode table of glibc's built-in C.UTF-8 locale and
// not by the process's, which may not be installed. -1 where that locale is missing, and for what is not printed.
int vg_columns(unsigned int scalar);
