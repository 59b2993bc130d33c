#define _GNU_SOURCE
#include "floor.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int floor_open(const char *path, size_t size, int count) {
    int file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
    size_t room = size * (size_t)count;
    char *bytes = malloc(room);
    int fails = file < 0 || !bytes;
    if (!fails) {
        memset(bytes, 7, room);
        fails = pwrite(file, bytes, room, 0) != (ssize_t)room || fsync(file) < 0;
    }
    free(bytes);
    unlink(path);
    if (fails && file >= 0) close(file);
    return fails ? -1 : file;
}

int floor_sync(int file, size_t size, int turn) {
    static const char bytes[65536];
    return size > sizeof(bytes) || pwrite(file, bytes, size, (off_t)(size * (size_t)turn)) != (ssize_t)size ||
           fdatasync(file) < 0;
}

double floor_syncs(const char *path, size_t size, int count) {
    int file = floor_open(path, size, count), fails = file < 0;
    double start = seconds();
    for (int turn = 0; turn < count && !fails; turn++) fails = floor_sync(file, size, turn);
    double taken = seconds() - start;
    if (file >= 0) close(file);
    return fails ? -1 : taken;
}

static int insert(sqlite3 *database, int count, int batch, int leaf, int disclosure) {
    sqlite3_stmt *begin, *row, *commit;
    if (sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL) ||
        sqlite3_prepare_v2(database, "INSERT INTO entries VALUES (?, 'session.stopped', ?, ?)", -1, &row, NULL) ||
        sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL))
        return -1;
    char *bytes = calloc(1, (size_t)(leaf + disclosure));
    int fails = !bytes;
    for (int position = 0; position < count && !fails; position += batch) {
        fails = sqlite3_step(begin) != SQLITE_DONE || sqlite3_reset(begin);
        for (int index = position; index < position + batch && index < count && !fails; index++) {
            sqlite3_bind_int64(row, 1, index);
            sqlite3_bind_blob(row, 2, bytes, leaf, SQLITE_STATIC);
            sqlite3_bind_blob(row, 3, bytes + leaf, disclosure, SQLITE_STATIC);
            fails = sqlite3_step(row) != SQLITE_DONE || sqlite3_reset(row);
        }
        fails = fails || sqlite3_step(commit) != SQLITE_DONE || sqlite3_reset(commit);
    }
    free(bytes);
    sqlite3_finalize(begin);
    sqlite3_finalize(row);
    sqlite3_finalize(commit);
    return fails;
}

double floor_batches(const char *path, int count, int batch, int leaf, int disclosure) {
    sqlite3 *database;
    const char *setup =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
        "CREATE TABLE entries (position INTEGER PRIMARY KEY CHECK (position >= 0), kind TEXT NOT NULL,"
        " leaf BLOB NOT NULL, disclosed BLOB) STRICT";
    double taken = -1;
    if (sqlite3_open(path, &database) == SQLITE_OK && sqlite3_exec(database, setup, NULL, NULL, NULL) == SQLITE_OK) {
        double start = seconds();
        int fails = insert(database, count, batch, leaf, disclosure);
        taken = fails ? -1 : seconds() - start;
    }
    sqlite3_close(database);
    unlink(path);
    return taken;
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
