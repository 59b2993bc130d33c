// Calls a permission service over D-Bus as fast as it answers, on one connection, by sd-bus.
//
//   dbus_calls ADDRESS SECONDS store    PermissionStore.Lookup of a permission that it sets first
//   dbus_calls ADDRESS SECONDS polkit   CheckAuthorization of this process, without a question
//
// Prints calls a second, and p50 and p99 in microseconds. ADDRESS is the bus's, such as unix:path=/tmp/bus.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#define STORE "org.freedesktop.impl.portal.PermissionStore", "/org/freedesktop/impl/portal/PermissionStore", \
    "org.freedesktop.impl.portal.PermissionStore"

static void check(int result, const sd_bus_error *error, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", what, error && error->message ? error->message : strerror(-result));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Field 22 of /proc/self/stat: the start of this process in clock ticks since the boot (proc(5)).
static unsigned long long start_time(void) {
    char text[4096];
    FILE *file = fopen("/proc/self/stat", "re");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[count] = 0;
    unsigned long long start = 0;
    char *place = strrchr(text, ')');
    for (int field = 2; place && field < 22; field++) place = strchr(place + 1, ' ');
    if (place) start = strtoull(place, NULL, 10);
    return start;
}

static int ascending(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

int main(int count, char **words) {
    int is_store = count == 4 && strcmp(words[3], "store") == 0;
    if (count != 4 || (!is_store && strcmp(words[3], "polkit") != 0)) {
        fprintf(stderr, "usage: dbus_calls ADDRESS SECONDS store|polkit\n");
        return 64;
    }
    sd_bus *bus = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    check(sd_bus_new(&bus), NULL, "sd_bus_new");
    check(sd_bus_set_address(bus, words[1]), NULL, words[1]);
    check(sd_bus_set_bus_client(bus, 1), NULL, "sd_bus_set_bus_client");
    check(sd_bus_start(bus), NULL, words[1]);
    if (is_store)
        check(
            sd_bus_call_method(
                bus, STORE, "SetPermission", &error, NULL, "sbssas", "devices", 1, "microphone", "org.example.load", 1, "yes"),
            &error, "SetPermission");
    unsigned long long start = start_time();
    float *times = NULL;
    size_t total = 0, capacity = 0;
    double first = now(), begin = first, end = first + atof(words[2]);
    do {
        sd_bus_message *answer = NULL;
        if (is_store) {
            check(sd_bus_call_method(bus, STORE, "Lookup", &error, &answer, "ss", "devices", "microphone"), &error, "Lookup");
        } else {
            int authorized = 0, challenge = 0;
            check(
                sd_bus_call_method(
                    bus, "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
                    "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization", &error, &answer, "(sa{sv})sa{ss}us",
                    "unix-process", 2, "pid", "u", (unsigned)getpid(), "start-time", "t", start,
                    "org.freedesktop.policykit.exec", 0, 0u, ""),
                &error, "CheckAuthorization");
            check(sd_bus_message_enter_container(answer, 'r', "bba{ss}"), NULL, "CheckAuthorization");
            check(sd_bus_message_read(answer, "bb", &authorized, &challenge), NULL, "CheckAuthorization");
        }
        sd_bus_message_unref(answer);
        double done = now();
        if (total == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            times = realloc(times, capacity * sizeof *times);
            if (!times) return 1;
        }
        times[total++] = (float)((done - begin) * 1e6);
        begin = done;
    } while (begin < end);
    qsort(times, total, sizeof *times, ascending);
    printf("%.0f %.1f %.1f\n", (double)total / (begin - first), times[total / 2], times[total * 99 / 100]);
    sd_bus_unref(bus);
    return 0;
}
