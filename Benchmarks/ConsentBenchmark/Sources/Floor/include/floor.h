#pragma once

#include <stddef.h>

/// Writes `count` times `size` bytes, each synced before the next, in a new file whose room is there already, as a
/// write-ahead log's is after its first round. Returns the seconds; negative if a call failed.
double floor_syncs(const char *path, size_t size, int count);

/// Inserts `count` rows with blobs of `leaf` and `disclosure` bytes into a new SQLite database as durable as the log's, in
/// transactions of `batch` rows. Returns the seconds without making the database; negative if a call failed.
double floor_batches(const char *path, int count, int batch, int leaf, int disclosure);
