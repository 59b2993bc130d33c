#include "CALSA.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic(calsa_message_handler) current_handler;

static void on_message(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file;
    (void)line;
    calsa_message_handler handler = atomic_load(&current_handler);
    if (handler == NULL) return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length >= 0) handler(function, error, message);
}

void calsa_set_message_handler(calsa_message_handler handler) {
    atomic_store(&current_handler, handler);
    snd_lib_error_set_handler(on_message);
}
