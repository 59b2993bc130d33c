#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include <wchar.h>

static const int guarded_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { guarded_count = sizeof guarded_signals / sizeof guarded_signals[0] };

static atomic_flag in_use = ATOMIC_FLAG_INIT;
static int guarded_terminal, guarded_wake;
static struct termios guarded_original;
static int installed[guarded_count];

// Calls only async-signal-safe functions (signal-safety(7)).
static void handle(int number) {
    int saved = errno;
    if (number == SIGINT) {
        char byte = 'i';
        if (write(guarded_wake, &byte, 1) < 0) { /* The pipe is full: the reader is awake already. */ }
    } else {
        tcsetattr(guarded_terminal, TCSANOW, &guarded_original);
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = saved;
}

int vg_terminal_guard_begin(int terminal, const struct termios *original, int wake_fd) {
    if (atomic_flag_test_and_set(&in_use)) {
        errno = EBUSY;
        return -1;
    }
    guarded_terminal = terminal;
    guarded_original = *original;
    guarded_wake = wake_fd;
    for (int i = 0; i < guarded_count; i++) {
        struct sigaction present, mine = {.sa_handler = handle, .sa_flags = SA_RESTART};
        sigemptyset(&mine.sa_mask);
        installed[i] = sigaction(guarded_signals[i], 0, &present) == 0 && present.sa_handler == SIG_DFL &&
                       sigaction(guarded_signals[i], &mine, 0) == 0;
    }
    return 0;
}

void vg_terminal_guard_end(void) {
    for (int i = 0; i < guarded_count; i++) {
        if (installed[i]) signal(guarded_signals[i], SIG_DFL);
        installed[i] = 0;
    }
    atomic_flag_clear(&in_use);
}

static locale_t unicode;
static pthread_once_t unicode_once = PTHREAD_ONCE_INIT;

static void make_unicode(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int vg_columns(unsigned int scalar) {
    pthread_once(&unicode_once, make_unicode);
    if (unicode == (locale_t)0) return -1;
    locale_t previous = uselocale(unicode);
    int columns = wcwidth((wchar_t)scalar);
    uselocale(previous);
    return columns;
}
