#include "floor.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

struct floor_log {
    sqlite3 *database;
    sqlite3_stmt *begin, *record, *tree, *commit;
    sqlite3_int64 size;
};

static const char setup[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;"
    "PRAGMA temp_store = MEMORY; PRAGMA cache_spill = OFF;"
    "CREATE TABLE entries (position INTEGER PRIMARY KEY CHECK (position >= 0), kind TEXT NOT NULL, leaf BLOB NOT NULL,"
    " disclosed BLOB) STRICT;"
    "CREATE INDEX entries_of_kind ON entries (kind, position) WHERE kind NOT IN ('session.started', 'session.stopped');"
    "CREATE TABLE tree (id INTEGER PRIMARY KEY CHECK (id = 1), size INTEGER NOT NULL,"
    " root BLOB NOT NULL CHECK (length(root) = 32), frontier BLOB NOT NULL) STRICT;"
    "INSERT INTO tree VALUES (1, 0, zeroblob(32), zeroblob(0))";

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int prepare(struct floor_log *log, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v2(log->database, sql, -1, statement, NULL);
}

static int run(sqlite3_stmt *statement) { return sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement); }

struct floor_log *floor_open(const char *path) {
    struct floor_log *log = calloc(1, sizeof *log);
    if (log && !sqlite3_open(path, &log->database) && !sqlite3_exec(log->database, setup, NULL, NULL, NULL) &&
        !prepare(log, "BEGIN IMMEDIATE", &log->begin) &&
        !prepare(log, "INSERT INTO entries VALUES (?, 'session.stopped', ?, ?)", &log->record) &&
        !prepare(log, "UPDATE tree SET size = ?, root = ?, frontier = ? WHERE id = 1 AND size = ?", &log->tree) &&
        !prepare(log, "COMMIT", &log->commit))
        return log;
    if (log) floor_close(log);
    return NULL;
}

static int append(struct floor_log *log, int group, const char *bytes, int leaf, int disclosure) {
    if (run(log->begin)) return -1;
    for (int index = 0; index < group; index++) {
        sqlite3_bind_int64(log->record, 1, log->size + index);
        sqlite3_bind_blob(log->record, 2, bytes, leaf, SQLITE_STATIC);
        sqlite3_bind_blob(log->record, 3, bytes + leaf, disclosure, SQLITE_STATIC);
        if (run(log->record)) return -1;
    }
    static const char hashes[32 * 64];
    sqlite3_bind_int64(log->tree, 1, log->size + group);
    sqlite3_bind_blob(log->tree, 2, hashes, 32, SQLITE_STATIC);
    sqlite3_bind_blob(log->tree, 3, hashes, 32 * __builtin_popcountll((unsigned long long)(log->size + group)), SQLITE_STATIC);
    sqlite3_bind_int64(log->tree, 4, log->size);
    log->size += group;
    return run(log->tree) || run(log->commit);
}

double floor_append(struct floor_log *log, int count, int group, int leaf, int disclosure) {
    char *bytes = calloc(1, (size_t)(leaf + disclosure));
    int fails = !bytes;
    double start = seconds();
    for (int done = 0; done < count && !fails; done += group)
        fails = append(log, group < count - done ? group : count - done, bytes, leaf, disclosure);
    double taken = seconds() - start;
    free(bytes);
    return fails ? -1 : taken;
}

void floor_close(struct floor_log *log) {
    sqlite3_finalize(log->begin);
    sqlite3_finalize(log->record);
    sqlite3_finalize(log->tree);
    sqlite3_finalize(log->commit);
    sqlite3_close(log->database);
    free(log);
}

int floor_rows(
    const char *path, int first, int end, void *context,
    void (*body)(void *context, const void *leaf, int leaf_size, const void *disclosure, int disclosure_size)) {
    sqlite3 *database;
    sqlite3_stmt *rows = NULL;
    int count = -1;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(
            database, "SELECT leaf, disclosed FROM entries WHERE position >= ? AND position < ? ORDER BY position", -1, &rows,
            NULL) == SQLITE_OK) {
        sqlite3_bind_int64(rows, 1, first);
        sqlite3_bind_int64(rows, 2, end);
        for (count = 0; sqlite3_step(rows) == SQLITE_ROW; count++) {
            const void *leaf = sqlite3_column_blob(rows, 0), *disclosure = sqlite3_column_blob(rows, 1);
            body(context, leaf, sqlite3_column_bytes(rows, 0), disclosure, sqlite3_column_bytes(rows, 1));
        }
    }
    sqlite3_finalize(rows);
    sqlite3_close(database);
    return count;
}
