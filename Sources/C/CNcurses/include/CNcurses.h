#pragma once

// ncursesw, with functions for the global variables, macros and variadic functions that Swift cannot import. curses is for one
// thread at a time.

#define NCURSES_WIDECHAR 1
#include <curses.h>

// Starts curses on standard input and output: alternate screen, single keys without echo; Ctrl-C stays a signal. Returns the
// window, or null when terminfo does not know the terminal. endwin() restores the terminal.
WINDOW *vg_curses_begin(void);

// Continues after endwin() and draws everything again.
void vg_curses_resume(WINDOW *window);

// Sets the terminal's changed size; 0: unknown.
void vg_curses_resize(int rows, int columns);

// The next typed key: a character's scalar, or VG_CURSES_KEYS plus one of curses.h's KEY_ numbers; -1: none.
int vg_curses_key(WINDOW *window);
#define VG_CURSES_KEYS 0x1000000

// Writes UTF-8 text at a position in a style. The text must fit the line.
void vg_curses_write(WINDOW *window, int row, int column, const char *text, unsigned style);
#define VG_CURSES_BOLD 1u
#define VG_CURSES_REVERSE 2u
#define VG_CURSES_DIM 4u
