// Times of requests, and the line that the programs of this folder print about them.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct times {
    // Microseconds of each request.
    float *values;
    size_t count, capacity;
};

// Seconds on the monotonic clock.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add_time(struct times *times, float value) {
    if (times->count == times->capacity) {
        times->capacity = times->capacity ? 2 * times->capacity : 65536;
        times->values = realloc(times->values, times->capacity * sizeof *times->values);
        if (!times->values) {
            perror("realloc");
            exit(1);
        }
    }
    times->values[times->count++] = value;
}

static int ascending(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

// Prints requests a second, and p50 and p99 in microseconds. There must be at least one time.
static void print_times(struct times *times, double taken) {
    qsort(times->values, times->count, sizeof *times->values, ascending);
    printf("%.0f %.1f %.1f\n", (double)times->count / taken, times->values[times->count / 2], times->values[times->count * 99 / 100]);
}
