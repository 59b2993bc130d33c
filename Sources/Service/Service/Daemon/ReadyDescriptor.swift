import Glibc

/// Tells whoever started the service that it listens: one line, then the end of the descriptor. Ending without the line
/// means that it could not start.
struct ReadyDescriptor: Sendable {
    private let descriptor: Int32?

    init(_ descriptor: Int32?) {
        self.descriptor = descriptor
        // The recognisers must not keep it open beyond this process's own word.
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    func tell() {
        guard let descriptor else { return }
        let line = Array("ready\n".utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
    }
}
