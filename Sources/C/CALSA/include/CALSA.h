#pragma once

#include <alsa/asoundlib.h>
#include <poll.h>

/// Receives a message of the library; `error` is an errno or 0. The strings are valid during the call.
typedef void (*calsa_message_handler)(const char *function, int error, const char *message);

/// Passes the library's messages to the handler instead of standard error, for all threads. In C because the callback is
/// variadic.
void calsa_set_message_handler(calsa_message_handler handler);
