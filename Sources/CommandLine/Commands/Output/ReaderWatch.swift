import Foundation

/// Tells when nobody reads a pipe any more, without writing to it.
struct ReaderWatch: Sendable {
    private let descriptor: CInt

    /// `nil` for what is no pipe.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
        self.descriptor = descriptor
    }

    /// - Returns: `false` when the task was cancelled.
    func isGone() async -> Bool {
        let (gone, news) = AsyncStream.makeStream(of: Void.self)
        // Ends with the reader or with this program.
        Thread.detachNewThread { [descriptor] in
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&state, 1, -1) < 0, errno == EINTR {}
            news.yield()
        }
        for await _ in gone { return true }
        return false
    }
}
