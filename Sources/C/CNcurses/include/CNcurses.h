#pragma once

// ncursesw, with what Swift cannot import: its global variables, macros and variadic functions. All else is curses.h's.
// curses is for one thread at a time.

#define NCURSES_WIDECHAR 1
#include <curses.h>

// Takes the terminal of standard input and output, alternate screen and keys one by one and unseen; Ctrl-C stays a signal.
// Returns its window, or null when terminfo does not know the terminal. endwin() gives it back.
WINDOW *vg_curses_begin(void);

// After endwin(): the same again, drawn anew.
void vg_curses_resume(WINDOW *window);

// The terminal's size has changed; 0 where it does not say.
void vg_curses_resize(int rows, int columns);

// The next key that has been typed: a character's scalar, or above VG_CURSES_KEYS one of curses.h's KEY_ numbers. -1: none.
int vg_curses_key(WINDOW *window);
#define VG_CURSES_KEYS 0x1000000

// Writes UTF-8 text at a place in a style. The caller keeps it within the line.
void vg_curses_write(WINDOW *window, int row, int column, const char *text, unsigned style);
#define VG_CURSES_BOLD 1u
#define VG_CURSES_REVERSE 2u
#define VG_CURSES_DIM 4u
