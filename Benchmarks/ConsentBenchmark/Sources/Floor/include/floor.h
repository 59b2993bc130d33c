#pragma once

/// A log's tables in a new SQLite database that is as durable as the log's, and statements that are prepared once.
struct floor_log;

/// Makes the database; NULL if a call failed.
struct floor_log *floor_open(const char *path);

/// Inserts `count` records with blobs of `leaf` and `disclosure` bytes behind those that are there, and replaces the tree, in
/// transactions of `group` records. Returns the seconds; negative if a call failed.
double floor_append(struct floor_log *log, int count, int group, int leaf, int disclosure);

void floor_close(struct floor_log *log);

/// Reads the rows of a log's database from `first` up to `end` in their order, on its own connection, and gives each row's
/// leaf and disclosure to the body; they are valid during the call. Returns how many; negative if a call failed.
int floor_rows(
    const char *path, int first, int end, void *context,
    void (*body)(void *context, const void *leaf, int leaf_size, const void *disclosure, int disclosure_size));
