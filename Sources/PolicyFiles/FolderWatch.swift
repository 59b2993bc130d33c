import CLinux
import Foundation
import Glibc
import Synchronization
import SystemFiles

/// Waits for changes in a folder, also for its coming and going: every folder on the way to it is watched for the one
/// name that leads on.
final class FolderWatch: Sendable {
    private static let folderEvents =
        IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let wayEvents = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_ATTRIB

    private let folder: String
    private let inotify: OwnedDescriptor
    private let wakeReader: OwnedDescriptor
    private let wakeWriter: OwnedDescriptor
    /// Watch descriptor → the name that matters there; `nil`: all names.
    private let watches = Mutex<[Int32: String?]>([:])

    init(folder: String) throws(PolicyFileError) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        var pipe: [Int32] = [-1, -1]
        guard descriptor >= 0, vg_pipe(&pipe) == 0 else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            throw PolicyFileError(
                code: .notWatched,
                message: "The policy folder cannot be watched: \(String(cString: strerror(number))). "
                    + "Raise fs.inotify.max_user_instances.")
        }
        self.folder = folder
        inotify = OwnedDescriptor(owning: descriptor)
        wakeReader = OwnedDescriptor(owning: pipe[0])
        wakeWriter = OwnedDescriptor(owning: pipe[1])
        arm()
    }

    /// Ends the waiting, now or at its next begin.
    func stop() {
        var byte: UInt8 = 0
        _ = write(wakeWriter.rawValue, &byte, 1)
    }

    /// Blocks until something may have changed since the last call began, or since the watch was made.
    ///
    /// - Returns: false when it was stopped.
    func waitForChange() -> Bool {
        while true {
            var requests = [
                pollfd(fd: inotify.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeReader.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return false
            }
            if requests[1].revents != 0 { return false }
            if drain() {
                arm()
                return true
            }
        }
    }

    /// Watches before anything is read, so that no change falls between.
    private func arm() {
        watches.withLock {
            // Adding a watch for the same inode replaces it; those of folders that are gone went with them.
            $0 = [:]
            var way = "/"
            for name in folder.split(separator: "/") {
                add(way, Self.wayEvents, String(name), &$0)
                way = way == "/" ? "/" + name : way + "/" + name
            }
            add(folder, Self.folderEvents, nil, &$0)
        }
    }

    private func add(_ path: String, _ events: Int32, _ name: String?, _ watches: inout [Int32: String?]) {
        let watch = inotify_add_watch(
            inotify.rawValue, path, UInt32(bitPattern: events) | UInt32(bitPattern: Int32(IN_ONLYDIR)))
        if watch >= 0 { watches[watch] = .some(name) }
    }

    /// - Returns: whether one of the waiting events is about the folder or the way to it.
    private func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var matters = false
        while true {
            let length = read(inotify.rawValue, &buffer, buffer.count)
            guard length > 0 else { return matters }
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= length {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
                let name = buffer[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
                matters = matters || isAbout(event, String(decoding: name, as: UTF8.self))
                offset += header + Int(event.len)
            }
        }
    }

    private func isAbout(_ event: inotify_event, _ name: String) -> Bool {
        // Lost events may have been about anything.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let expected = watches.withLock({ $0[event.wd] }) else { return false }
        if expected == nil && event.mask & UInt32(IN_CREATE) != 0 && willBeClosed(name) { return false }
        return expected == nil || name.isEmpty || expected == name
    }

    /// Whether a created name is a file that somebody is still writing: it is read when that is done, not half-written.
    private func willBeClosed(_ name: String) -> Bool {
        var status = stat()
        return lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
