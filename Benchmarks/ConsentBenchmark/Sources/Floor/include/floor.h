#pragma once

#include <stddef.h>

/// Opens a new file without a name whose room for `count` times `size` bytes is there already, as a write-ahead log's is after
/// its first round. Returns its descriptor; negative if a call failed.
int floor_open(const char *path, size_t size, int count);

/// Writes the bytes of one turn, at most 65,536, and syncs them. Returns 0; anything else if a call failed.
int floor_sync(int file, size_t size, int turn);

/// Writes `count` times `size` bytes into a new file, each synced before the next. Returns the seconds; negative if a call failed.
double floor_syncs(const char *path, size_t size, int count);

/// Inserts `count` rows with blobs of `leaf` and `disclosure` bytes into a new SQLite database as durable as the log's, in
/// transactions of `batch` rows. Returns the seconds without making the database; negative if a call failed.
double floor_batches(const char *path, int count, int batch, int leaf, int disclosure);

/// Reads the rows of a log's database from `first` up to `end` in their order, on a connection of its own, and gives each row's
/// leaf and disclosure to the body; they are valid during the call. Returns how many; negative if a call failed.
int floor_rows(
    const char *path, int first, int end, void *context,
    void (*body)(void *context, const void *leaf, int leaf_size, const void *disclosure, int disclosure_size));
