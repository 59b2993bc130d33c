import Foundation

/// A directory of its own for one test, gone afterwards.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "voicegate-storage-\(UUID().uuidString)"
        mkdir(path, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a log goes; made by the storage itself.
    var state: String { path + "/state" }
    var database: String { state + "/consent.sqlite" }

    func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
