import Foundation

/// The bytes of a file in pieces, read on demand and never on the pool of tasks. Can be iterated once.
struct FilePieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private static let pieceSize = 65_536

    /// Owns an open file.
    private final class Descriptor: Sendable {
        let number: CInt

        init(_ number: CInt) { self.number = number }

        deinit { close(number) }
    }

    private let path: String
    private let descriptor: Descriptor
    private let queue = DispatchQueue(label: "voicegate.file")

    /// - Throws: `ClientError` with `unreadableFile`.
    init(_ url: URL) async throws(ClientError) {
        let path = url.path(percentEncoded: false)
        guard url.isFileURL else { throw Self.failure(path, EINVAL) }
        let queue = queue
        // A named pipe is opened when it has a writer.
        let opened = await withCheckedContinuation { continuation in
            queue.async {
                let number = open(path, O_RDONLY | O_CLOEXEC)
                continuation.resume(returning: (number, errno))
            }
        }
        guard opened.0 >= 0 else { throw Self.failure(path, opened.1) }
        self.path = path
        descriptor = Descriptor(opened.0)
        var status = stat()
        guard fstat(opened.0, &status) == 0 else { throw Self.failure(path, errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw Self.failure(path, EISDIR) }
    }

    func makeAsyncIterator() -> FilePieces { self }

    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                var failure: Int32 = 0
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                    var result = read(descriptor.number, buffer.baseAddress, buffer.count)
                    while result < 0, errno == EINTR {
                        result = read(descriptor.number, buffer.baseAddress, buffer.count)
                    }
                    if result < 0 { failure = errno }
                    count = result < 0 ? 0 : result
                }
                if failure != 0 {
                    continuation.resume(throwing: Self.failure(path, failure))
                } else {
                    continuation.resume(returning: piece.isEmpty ? nil : piece)
                }
            }
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> ClientError {
        ClientError(
            code: .unreadableFile, message: "\(path) cannot be read: \(String(cString: strerror(number))).",
            errorNumber: number)
    }
}

/// A line, if it is not empty, and the bytes of a file after it.
package struct HeadedFile<File: AsyncSequence & Sendable>: AsyncSequence, Sendable where File.Element == [UInt8] {
    let head: [UInt8]
    let file: File

    package init(head: [UInt8], file: File) { (self.head, self.file) = (head, file) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var head: [UInt8]?
        var file: File.AsyncIterator

        package mutating func next() async throws -> [UInt8]? {
            defer { head = nil }
            if let head, !head.isEmpty { return head }
            return try await file.next()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(head: head, file: file.makeAsyncIterator()) }
}
