#include "CNcurses.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SCREEN *screen;

WINDOW *vg_curses_begin(void) {
    // First: curses draws by the locale's characters (ncurses(3X), "Initialization").
    if (!setlocale(LC_ALL, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    // Esc alone is a key; the default wait of a second for a sequence is too long.
    set_escdelay(50);
    screen = newterm(NULL, stdout, stdin);
    if (!screen) return NULL;
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    return stdscr;
}

void vg_curses_resume(WINDOW *window) {
    clearok(window, TRUE);
    wrefresh(window);
    curs_set(0);
}

void vg_curses_resize(int rows, int columns) {
    if (rows > 0 && columns > 0) resizeterm(rows, columns);
}

int vg_curses_key(WINDOW *window) {
    wint_t character = 0;
    switch (wget_wch(window, &character)) {
    case OK:
        return (int)character;
    case KEY_CODE_YES:
        return VG_CURSES_KEYS + (int)character;
    default:
        return -1;
    }
}

void vg_curses_write(WINDOW *window, int row, int column, const char *text, unsigned style) {
    attr_t attributes = A_NORMAL;
    if (style & VG_CURSES_BOLD) attributes |= A_BOLD;
    if (style & VG_CURSES_REVERSE) attributes |= A_REVERSE;
    if (style & VG_CURSES_DIM) attributes |= A_DIM;
    wattrset(window, (int)attributes);
    mvwaddstr(window, row, column, text);
    wattrset(window, A_NORMAL);
}
