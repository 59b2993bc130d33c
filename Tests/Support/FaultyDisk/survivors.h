#pragma once

#include <sqlite3.h>
#include <stdint.h>

// What is left of each file after a cut. One thread at a time: the caller holds the guard.

struct tracked;

// From now on files are tracked; their durable contents go into this folder, in which those of files that a killed process
// left are already. With a seed of 0 nothing survives a cut that was not synced.
void survivors_begin(const char *folder, uint64_t seed);

// A file that was opened; NULL when none are tracked.
struct tracked *survivors_track(const char *path, int is_journal);

// A write, or with a length of -1 a cutting off.
void survivors_note(struct tracked *tracked, const void *bytes, int length, sqlite3_int64 offset);

void survivors_sync(struct tracked *tracked);
void survivors_remove(const char *path, int syncs_folder);

// Leaves what survives, and ends the process with exit code 9.
void survivors_cut(void) __attribute__((noreturn));
