#pragma once

#include <sqlite3.h>

/// Sets whether closing the last connection copies the write-ahead log into the database. Variadic in C
/// (sqlite3_db_config, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE). Returns SQLite's code.
int csqlite_set_checkpoint_on_close(sqlite3 *database, int is_on);

/// Writes zeros into an empty write-ahead log up to a size and syncs them, so that commits write into room that is there:
/// a sync of a file that grows must also wait for the file system's journal. Zeros are no header, so that the log is still
/// empty for every reader (walIndexRecover in wal.c). Without enough room on the disk the log stays empty. Call it only
/// with no other reader or writer.
void csqlite_reserve_write_ahead_log(sqlite3 *database, int size);
