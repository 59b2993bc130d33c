import CLinux
import Foundation
import Speech

/// An empty folder on a file system in memory, for its owner alone, for what must not reach a disk. Removed with all that
/// is in it when this object goes, and by the next one's maker where a service was killed meanwhile.
final class MemoryFolder {
    private static let place = "/dev/shm"
    private static let prefix = "voicegate-voice-"

    let path: String
    /// Holds a lock, by which others see that somebody uses it.
    private let descriptor: Int32

    init() throws(EnrolmentError) {
        guard vg_is_in_memory(Self.place) == 1 else {
            throw EnrolmentError(
                code: .noMemory,
                message: "\(Self.place) is no file system in memory, and what you read must not reach a disk. Mount a "
                    + "tmpfs there.")
        }
        Self.removeForgotten()
        var template = Array((Self.place + "/" + Self.prefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.failure(errno) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// Folders of our own that nobody holds any more.
    static func removeForgotten() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let descriptor = open(place + "/" + name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: place + "/" + name)
        }
    }

    private static func failure(_ number: Int32) -> EnrolmentError {
        EnrolmentError(
            code: .noMemory,
            message: "No folder can be made in \(place): \(String(cString: strerror(number))). Free some room there.")
    }
}
