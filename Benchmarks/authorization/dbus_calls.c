// Calls a permission service over D-Bus as fast as it answers, on one connection, by sd-bus.
//
//   dbus_calls ADDRESS SECONDS lookup          PermissionStore.Lookup of a permission that it sets first
//   dbus_calls ADDRESS SECONDS check           polkit's CheckAuthorization of this process, which must not be root's, without a prompt
//   dbus_calls ADDRESS SECONDS check-granted   the same; each answer must be a grant
//
// ADDRESS is the bus's, such as unix:path=/tmp/bus. At least one call is made. Prints calls a second, and p50 and p99 in microseconds.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "times.h"

#define STORE "org.freedesktop.impl.portal.PermissionStore", "/org/freedesktop/impl/portal/PermissionStore", \
    "org.freedesktop.impl.portal.PermissionStore"
#define POLKIT "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority"

static sd_bus *bus;
static sd_bus_error error = SD_BUS_ERROR_NULL;

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", what, error.message ? error.message : strerror(-result));
    exit(1);
}

_Noreturn static void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

// The start of this process in clock ticks since the boot: field 22 of /proc/self/stat (proc(5)).
static unsigned long long start_time(void) {
    char text[4096];
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file) fail("/proc/self/stat cannot be read.");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    // The name of the program, field 2, may contain spaces and parentheses.
    char *place = strrchr(text, ')');
    for (int field = 2; place && field < 22; field++) place = strchr(place + 1, ' ');
    if (!place) fail("/proc/self/stat has no field 22.");
    return strtoull(place, NULL, 10);
}

static void look_up(void) {
    sd_bus_message *answer = NULL;
    check(sd_bus_call_method(bus, STORE, "Lookup", &error, &answer, "ss", "devices", "microphone"), "Lookup");
    if (sd_bus_message_has_signature(answer, "a{sas}v") <= 0) fail("Lookup: an answer of another type");
    sd_bus_message_unref(answer);
}

static void check_authorization(unsigned long long start, int must_grant) {
    sd_bus_message *answer = NULL;
    int granted = 0, challenge = 0;
    check(
        sd_bus_call_method(
            bus, POLKIT, "CheckAuthorization", &error, &answer, "(sa{sv})sa{ss}us", "unix-process", 3, "pid", "u", (unsigned)getpid(),
            "start-time", "t", start, "uid", "i", (int)getuid(), "org.freedesktop.policykit.exec", 0, 0u, ""),
        "CheckAuthorization");
    check(sd_bus_message_enter_container(answer, 'r', "bba{ss}"), "CheckAuthorization");
    check(sd_bus_message_read(answer, "bb", &granted, &challenge), "CheckAuthorization");
    if (must_grant && !granted) fail("CheckAuthorization: not granted");
    sd_bus_message_unref(answer);
}

int main(int count, char **words) {
    int is_lookup = count == 4 && strcmp(words[3], "lookup") == 0, must_grant = count == 4 && strcmp(words[3], "check-granted") == 0;
    if (count != 4 || !(is_lookup || must_grant || strcmp(words[3], "check") == 0)) {
        fprintf(stderr, "usage: dbus_calls ADDRESS SECONDS lookup|check|check-granted\n");
        return 64;
    }
    if (!is_lookup && geteuid() == 0) fail("polkit authorizes root without evaluating rules. Run as another user.");
    check(sd_bus_new(&bus), "sd_bus_new");
    check(sd_bus_set_address(bus, words[1]), words[1]);
    check(sd_bus_set_bus_client(bus, 1), words[1]);
    check(sd_bus_start(bus), words[1]);
    if (is_lookup)
        check(
            sd_bus_call_method(
                bus, STORE, "SetPermission", &error, NULL, "sbssas", "devices", 1, "microphone", "org.example.load", 1, "yes"),
            "SetPermission");
    unsigned long long start = start_time();
    struct times times = {0};
    double first = now(), begin = first, end = first + atof(words[2]);
    do {
        if (is_lookup)
            look_up();
        else
            check_authorization(start, must_grant);
        double done = now();
        add_time(&times, (float)((done - begin) * 1e6));
        begin = done;
    } while (begin < end);
    print_times(&times, begin - first);
    sd_bus_unref(bus);
    return 0;
}
