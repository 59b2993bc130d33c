import Foundation

/// A file's bytes, read in pieces on demand. Can be iterated once.
final class SoundInput: AsyncSequence, Sendable {
    private static let pieceLength = 64 * 1024

    private let descriptor: CInt
    private let name: String

    /// - Parameter path: `-` for standard input.
    static func open(_ path: String) async throws -> SoundInput {
        if path == "-" { return SoundInput(STDIN_FILENO, "standard input") }
        // Opening a named pipe waits for its writer.
        return try await Blocking.run {
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw CommandError.cannotRead(path, systemMessage()) }
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                close(descriptor)
                throw CommandError.cannotRead(path, systemMessage(EISDIR))
            }
            return SoundInput(descriptor, path)
        }
    }

    private init(_ descriptor: CInt, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(input: self) }

    struct Iterator: AsyncIteratorProtocol {
        let input: SoundInput

        func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let input = input
            return try await Blocking.run { try input.read() }
        }
    }

    private func read() throws -> [UInt8]? {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
            var result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
            if result < 0 { number = errno }
            count = Swift.max(result, 0)
        }
        guard number == 0 else { throw CommandError.cannotRead(name, systemMessage(number)) }
        return bytes.isEmpty ? nil : bytes
    }
}
