import CLinux
import Glibc
import Synchronization

/// Tells of changes in folders, also of their coming and going: every folder on the way to them is watched for the one
/// name that leads on (inotify(7)).
///
/// The kernel tells of what is done by way of these folders, on this machine: not of a change made through a link that
/// leads to a file elsewhere, nor by another machine on a network's file system.
public final class FolderWatch: Sendable {
    private static let folderEvents =
        IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let wayEvents = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_ATTRIB

    /// What matters at one watched folder.
    private struct Place {
        let path: String
        /// The names that lead on; `nil`: all.
        var names: Set<String>?
    }

    private struct State {
        /// By watch descriptor.
        var places: [Int32: Place] = [:]
        /// Watches of the last time that no place has claimed again.
        var unclaimed: Set<Int32> = []
        var isComplete = true
    }

    private let folders: [String]
    private let inotify: OwnedDescriptor
    private let wakeReader: OwnedDescriptor
    private let wakeWriter: OwnedDescriptor
    private let state = Mutex(State())

    /// - Parameter folders: absolute paths; they need not exist.
    /// - Throws: `failed` when the kernel has no more watches to give.
    public init(folders: [String]) throws(FileError) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        var pipe: [Int32] = [-1, -1]
        guard descriptor >= 0, vg_pipe(&pipe) == 0 else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            throw FileError(
                code: .failed, path: folders.first ?? "/",
                reason: "it cannot be watched: \(String(cString: strerror(number))). "
                    + "Raise fs.inotify.max_user_instances")
        }
        self.folders = folders
        inotify = OwnedDescriptor(owning: descriptor)
        wakeReader = OwnedDescriptor(owning: pipe[0])
        wakeWriter = OwnedDescriptor(owning: pipe[1])
        begin()
        settle()
    }

    /// Whether every folder that exists is watched; `false` when the kernel has no more watches to give.
    public var isComplete: Bool { state.withLock { $0.isComplete } }

    /// Ends the waiting, now or at its next begin.
    public func stop() {
        var byte: UInt8 = 0
        _ = write(wakeWriter.rawValue, &byte, 1)
    }

    /// Blocks until something may have changed since the last call began, or since the watch was made. The folders that
    /// are there then are watched before it returns, so that no change falls between it and a reading.
    ///
    /// - Returns: false when it was stopped.
    public func waitForChange() -> Bool {
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
            if hasChanged() {
                begin()
                settle()
                return true
            }
        }
    }

    /// Whether something may have changed since the last call; never blocks. One system call when nothing has. What the
    /// kernel did before the call is seen by it.
    public func hasChanged() -> Bool {
        var matters = false
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let length = read(inotify.rawValue, buffer.baseAddress, buffer.count)
                guard length > 0 else { return }
                var offset = 0
                let header = MemoryLayout<inotify_event>.size
                while offset + header <= length {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = buffer[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
                    matters = matters || isAbout(event, String(decoding: name, as: UTF8.self))
                    offset += header + Int(event.len)
                }
            }
        }
        return matters
    }

    /// Watches the folders anew, before they are read. `settle()` follows when they have been.
    public func begin() {
        state.withLock { state in
            state.unclaimed = Set(state.places.keys)
            state.places = [:]
            state.isComplete = true
            for folder in folders {
                var way = "/"
                for name in folder.split(separator: "/") {
                    add(way, Self.wayEvents, String(name), &state)
                    way = way == "/" ? "/" + name : way + "/" + name
                }
                add(folder, Self.folderEvents, nil, &state)
            }
        }
    }

    /// Watches a folder within, until the next `begin()`; call before it is read.
    public func add(_ subfolder: String) { state.withLock { add(subfolder, Self.folderEvents, nil, &$0) } }

    /// Gives up the watches of folders that are not there any more, or are not on the way any more.
    public func settle() {
        state.withLock { state in
            for watch in state.unclaimed where state.places[watch] == nil { inotify_rm_watch(inotify.rawValue, watch) }
            state.unclaimed = []
        }
    }

    private func add(_ path: String, _ events: Int32, _ name: String?, _ state: inout State) {
        // One folder can be on several ways: what is watched for there adds up.
        let flags = UInt32(bitPattern: Int32(IN_ONLYDIR)) | UInt32(bitPattern: Int32(IN_MASK_ADD))
        let watch = inotify_add_watch(inotify.rawValue, path, UInt32(bitPattern: events) | flags)
        guard watch >= 0 else {
            if errno == ENOSPC || errno == ENOMEM { state.isComplete = false }
            return
        }
        guard let name else {
            state.places[watch] = Place(path: path, names: nil)
            return
        }
        if state.places[watch] == nil { state.places[watch] = Place(path: path, names: []) }
        state.places[watch]?.names?.insert(name)
    }

    private func isAbout(_ event: inotify_event, _ name: String) -> Bool {
        // Lost events may have been about anything.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let place = state.withLock({ $0.places[event.wd] }) else { return false }
        if let names = place.names { return name.isEmpty || names.contains(name) }
        return event.mask & UInt32(IN_CREATE) == 0 || !willBeClosed(place.path + "/" + name)
    }

    /// Whether a created name is a file that somebody is still writing: it is read when that is done, not half-written.
    private func willBeClosed(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
