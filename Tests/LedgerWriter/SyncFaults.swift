import GRDBSQLite
import Synchronization

/// Stands between SQLite and its own file layer (a VFS shim, https://sqlite.org/vfs.html), counts how often a file is
/// synced, and lets one sync fail.
enum SyncFaults {
    private static let syncs = Atomic(0)
    private static let failing = Atomic(Int.max)
    // Written once by `install`, before SQLite opens a file and so before any other thread reads it.
    private nonisolated(unsafe) static var system: UnsafeMutablePointer<sqlite3_vfs>?
    private nonisolated(unsafe) static var systemSync:
        (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?

    static var count: Int { syncs.load(ordering: .sequentiallyConsistent) }

    /// Lets the sync after the next `number` ones fail, as a disk would.
    static func fail(after number: Int) { failing.store(count + number, ordering: .sequentiallyConsistent) }

    /// To be called once, before any database is opened.
    static func install() {
        guard let found = sqlite3_vfs_find(nil) else { return }
        system = found
        let shim = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        shim.initialize(to: found.pointee)
        shim.pointee.pNext = nil
        shim.pointee.xOpen = { _, name, file, flags, outFlags in
            let result =
                SyncFaults.system?.pointee.xOpen(SyncFaults.system, name, file, flags, outFlags) ?? SQLITE_ERROR
            if result == SQLITE_OK { SyncFaults.wrap(file) }
            return result
        }
        // SQLite keeps the shim for as long as the process lives.
        sqlite3_vfs_register(shim, 1)
    }

    private static func wrap(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let file, let methods = file.pointee.pMethods else { return }
        systemSync = methods.pointee.xSync
        let wrapped = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        wrapped.initialize(to: methods.pointee)
        wrapped.pointee.xSync = { SyncFaults.sync($0, $1) }
        file.pointee.pMethods = UnsafePointer(wrapped)
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        let earlier = syncs.add(1, ordering: .sequentiallyConsistent).oldValue
        guard earlier != failing.load(ordering: .sequentiallyConsistent) else { return SQLITE_IOERR_FSYNC }
        return systemSync?(file, flags) ?? SQLITE_ERROR
    }

    private static let SQLITE_IOERR_FSYNC = SQLITE_IOERR | 4 << 8
}
