import Base
import CLinux
import Dispatch
import Glibc
import Synchronization

/// Refers to one process by a pidfd, so that a reused process identifier is noticed.
public final class ProcessHandle: Sendable {
    public let processIdentifier: Int32

    private enum Watch {
        case none
        case waiting(any DispatchSourceRead, handlers: [@Sendable () -> Void])
        case over
    }

    private let descriptor: OwnedDescriptor
    private let watch = Mutex(Watch.none)

    /// The process that connected (`SO_PEERPIDFD`), or, before Linux 6.5, the one that has its identifier now.
    public convenience init(socket: Int32, credentials: PeerCredentials) throws(ProcessError) {
        let pidfd = vg_peer_pidfd(socket)
        if pidfd >= 0 {
            self.init(owning: OwnedDescriptor(owning: pidfd), processIdentifier: credentials.processIdentifier)
        } else if errno == ENOPROTOOPT {
            try self.init(processIdentifier: credentials.processIdentifier)
        } else {
            throw ProcessError.vanished(credentials.processIdentifier)
        }
    }

    /// The process that has the identifier now.
    public convenience init(processIdentifier: Int32) throws(ProcessError) {
        let pidfd = vg_pidfd_open(processIdentifier)
        guard pidfd >= 0 else {
            if errno == ESRCH { throw ProcessError.vanished(processIdentifier) }
            throw ProcessError(
                code: .failed,
                message: "The kernel provides no handle for process \(processIdentifier). Linux 5.3 is required.")
        }
        self.init(owning: OwnedDescriptor(owning: pidfd), processIdentifier: processIdentifier)
    }

    private init(owning descriptor: consuming OwnedDescriptor, processIdentifier: Int32) {
        self.descriptor = descriptor
        self.processIdentifier = processIdentifier
    }

    deinit {
        watch.withLock { if case .waiting(let source, _) = $0 { source.cancel() } }
    }

    /// Whether the process runs; a zombie does not. One system call.
    public var isAlive: Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    /// - Returns: whether the signal was sent; otherwise `errno` has the reason.
    public func send(_ signal: Int32) -> Bool { vg_pidfd_send_signal(descriptor.rawValue, signal) == 0 }

    /// Runs the handler once when the process ends, or soon if it has ended, on its own queue; not after the handle is
    /// gone. It must be short and must not block.
    ///
    /// Without a free descriptor it runs soon: what depends on the process must not outlive it unnoticed.
    public func onExit(_ handler: @escaping @Sendable () -> Void) {
        watch.withLock {
            switch $0 {
            case .none:
                if let source = makeSource() {
                    $0 = .waiting(source, handlers: [handler])
                } else {
                    Self.queue.async { handler() }
                }
            case .waiting(let source, let handlers):
                $0 = .waiting(source, handlers: handlers + [handler])
            case .over:
                Self.queue.async { handler() }
            }
        }
    }

    /// The source has a duplicate of the pidfd, because it may use its descriptor until its cancel handler has run, after
    /// `deinit`.
    private func makeSource() -> (any DispatchSourceRead)? {
        let duplicate = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: Self.queue)
        source.setEventHandler { [weak self] in self?.finish() }
        source.setCancelHandler { close(duplicate) }
        source.activate()
        return source
    }

    private func finish() {
        let handlers: [@Sendable () -> Void] = watch.withLock {
            guard case .waiting(let source, let handlers) = $0 else { return [] }
            source.cancel()
            $0 = .over
            return handlers
        }
        for handler in handlers { handler() }
    }

    private static let queue = DispatchQueue(label: "voicegate.process-exit")
}

/// The peer of a Unix socket at connect time (`SO_PEERCRED`).
public struct PeerCredentials: Sendable, Hashable {
    public let processIdentifier: Int32
    public let user: UInt32

    public init(processIdentifier: Int32, user: UInt32) {
        self.processIdentifier = processIdentifier
        self.user = user
    }
}

extension PeerCredentials {
    /// - Parameter socket: a connected Unix socket.
    public init(socket: Int32) throws(ProcessError) {
        var peer = vg_peer_credentials()
        // A TCP socket returns process 0.
        guard vg_peer_credentials(socket, &peer) == 0, peer.pid > 0 else {
            throw ProcessError(
                code: .failed, message: "The kernel does not identify the caller. Connect over the Unix socket.")
        }
        self.init(processIdentifier: peer.pid, user: peer.uid)
    }
}

/// Why a process or a caller cannot be used.
public typealias ProcessError = CodedError<ProcessErrorCode>

public enum ProcessErrorCode: String, Sendable, Hashable, CaseIterable {
    /// It belongs to another user than the service serves.
    case otherUser
    /// It ended, or its process identifier belongs to another process now.
    case vanished
    /// It runs another program than at connect time.
    case executableChanged
    /// The kernel does not allow reading its program.
    case unreadable
    /// There is no program of that name.
    case noProgram
    /// It cannot be started without a network.
    case notConfined
    /// Its program's digest is not known, and the file may not be read now.
    case notRead
    /// The program's file is too large to be read.
    case tooLarge
    /// Too many programs of its user wait to be read.
    case busy
    /// A file or memory of its program could not be read in time.
    case unanswered
    /// No visible process, or more than one, has the other end of a TCP connection.
    case ambiguous
    /// The descriptor is not a connected Unix socket, or `/proc` is not as documented.
    case failed
}

extension ProcessError {
    static func vanished(_ process: Int32) -> ProcessError {
        ProcessError(code: .vanished, message: "The calling process \(process) has ended. Connect again.")
    }
}
