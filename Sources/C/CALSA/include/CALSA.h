#pragma once

#include <alsa/asoundlib.h>
#include <poll.h>
// Swift's Glibc does not show it.
#include <sys/eventfd.h>

/// Gets a message of the library, complete; `error` is an errno or 0. All strings end with the call.
typedef void (*calsa_message_handler)(const char *function, int error, const char *message);

/// Sends what the library would print on standard error to the handler instead. Global over all threads; Swift cannot
/// write the variadic callback itself.
void calsa_set_message_handler(calsa_message_handler handler);
