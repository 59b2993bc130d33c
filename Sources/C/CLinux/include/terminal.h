#pragma once

#include <termios.h>

// Until vg_terminal_guard_end, no signal ends this process with a changed terminal: SIGINT writes a byte to wake_fd instead;
// SIGTERM, SIGHUP and SIGQUIT restore the terminal before they end the process. Signals that the process handles or ignores
// itself are unchanged. One guard at a time: EBUSY.
int vg_terminal_guard_begin(int terminal, const struct termios *original, int wake_fd);
void vg_terminal_guard_end(void);

// wcwidth(3), which Swift cannot import (_XOPEN_SOURCE), by glibc's built-in C.UTF-8 locale, since the process's locale may
// not be installed. -1 without that locale, and for characters that are not printed.
int vg_columns(unsigned int scalar);
