import Glibc
import Synchronization

/// Reports changes in folders, including their creation and removal: every parent folder is watched for the next name of the
/// path (inotify(7)).
///
/// The kernel reports only changes made through these folders and on this machine: not changes to a link's target elsewhere,
/// nor changes by another machine on a network file system.
public final class FolderWatch: Sendable {
    private static let folderEvents =
        IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let parentEvents = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_ATTRIB

    private struct Place {
        let path: String
        /// The names whose changes are reported; `nil`: all.
        var names: Set<String>?
    }

    private struct State {
        /// By watch descriptor.
        var places: [Int32: Place] = [:]
        /// Earlier watches that are not in use again since `begin()`.
        var unclaimed: Set<Int32> = []
        var isComplete = true
    }

    private let folders: [String]
    private let inotify: OwnedDescriptor
    private let pipe: WakePipe
    private let state = Mutex(State())

    /// - Parameter folders: absolute paths; they need not exist.
    /// - Throws: `failed` at the kernel's limit of watches.
    public init(folders: [String]) throws(FileError) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0, let pipe = WakePipe() else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            throw FileError(
                code: .failed, path: folders.first ?? "/",
                reason: "it cannot be watched: \(String(cString: strerror(number))). "
                    + "Raise fs.inotify.max_user_instances")
        }
        self.folders = folders
        inotify = OwnedDescriptor(owning: descriptor)
        self.pipe = pipe
        begin()
        settle()
    }

    /// Whether every folder that exists is watched; `false` at the kernel's limit of watches.
    public var isComplete: Bool { state.withLock { $0.isComplete } }

    /// Ends the current or the next `waitForChange()`.
    public func stop() { pipe.wake() }

    /// Blocks until something may have changed since the last call began, or since the watch was made. All existing folders
    /// are watched before it returns, so that no change between it and a reading is lost.
    ///
    /// - Returns: false when it was stopped.
    public func waitForChange() -> Bool {
        while true {
            var requests = [
                pollfd(fd: inotify.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipe.reader.rawValue, events: Int16(POLLIN), revents: 0),
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

    /// Whether something may have changed since the last call, up to the start of this one. Never blocks; one system call when
    /// nothing has changed.
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
                    matters = matters || isRelevant(event, String(decoding: name, as: UTF8.self))
                    offset += header + Int(event.len)
                }
            }
        }
        return matters
    }

    /// Renews the watches. Call it before reading the folders, and `settle()` after.
    public func begin() {
        state.withLock { state in
            state.unclaimed = Set(state.places.keys)
            state.places = [:]
            state.isComplete = true
            for folder in folders {
                var parent = "/"
                for name in folder.split(separator: "/") {
                    add(parent, Self.parentEvents, String(name), &state)
                    parent = parent == "/" ? "/" + name : parent + "/" + name
                }
                add(folder, Self.folderEvents, nil, &state)
            }
        }
    }

    /// Watches a subfolder until the next `begin()`. Call it before reading that folder.
    public func add(_ subfolder: String) { state.withLock { add(subfolder, Self.folderEvents, nil, &$0) } }

    /// Removes the watches of folders that are gone or no longer on a path.
    public func settle() {
        state.withLock { state in
            for watch in state.unclaimed where state.places[watch] == nil { inotify_rm_watch(inotify.rawValue, watch) }
            state.unclaimed = []
        }
    }

    private func add(_ path: String, _ events: Int32, _ name: String?, _ state: inout State) {
        // One folder can be a parent of several: their events and names add up.
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

    private func isRelevant(_ event: inotify_event, _ name: String) -> Bool {
        // Events were lost.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let place = state.withLock({ $0.places[event.wd] }) else { return false }
        if let names = place.names { return name.isEmpty || names.contains(name) }
        return event.mask & UInt32(IN_CREATE) == 0 || !willBeClosed(place.path + "/" + name)
    }

    /// Whether a created name is a file that is still open for writing: its closing is reported instead.
    private func willBeClosed(_ path: String) -> Bool {
        // Never waits, as `hasChanged` promises.
        guard let file = try? FileUse.cached.reference(to: path, following: false),
            let metadata = try? FileUse.cached.metadata(of: file)
        else { return false }
        return metadata.isRegularFile && metadata.linkCount == 1
    }
}
