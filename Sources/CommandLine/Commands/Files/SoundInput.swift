import Base
import Foundation
import LinuxSystem

/// A file's bytes, read in pieces on demand. Can be iterated once.
final class SoundInput: AsyncSequence, Sendable {
    private static let pieceLength = 64 * 1024

    private let descriptor: CInt
    private let name: String

    /// - Parameter path: `-` for standard input. A named pipe is waited for until it has a writer.
    /// - Throws: `CommandError` for a folder and a device: opening one may have effects, and reading one may never end.
    static func open(_ path: String) async throws -> SoundInput {
        var status = stat()
        if path == "-" {
            if fstat(STDIN_FILENO, &status) == 0 { try check(status, "standard input") }
            return SoundInput(STDIN_FILENO, "standard input")
        }
        if stat(path, &status) == 0 { try check(status, path) }
        // Without waiting: opening a named pipe would wait for its writer and could not be interrupted.
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandError.cannotRead(path, systemMessage()) }
        let input = SoundInput(descriptor, path)
        if fstat(descriptor, &status) == 0 { try check(status, path) }
        if status.st_mode & S_IFMT == S_IFIFO, !isAnonymous(descriptor) { try await input.awaitWriter() }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return input
    }

    private static func check(_ status: stat, _ name: String) throws {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw CommandError.cannotRead(name, systemMessage(EISDIR))
        case S_IFCHR, S_IFBLK: throw CommandError.cannotRead(name, "it is a device. Name a sound file, or use a pipe")
        default: break
        }
    }

    /// Whether it is a pipe without a name, such as `/dev/stdin` can be. Its writer is there or was.
    private static func isAnonymous(_ pipe: CInt) -> Bool {
        // proc(5): the link of a descriptor without a file is TYPE:[INODE].
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(pipe)"))?.hasPrefix("pipe:")
            == true
    }

    private func awaitWriter() async throws {
        // poll(2) reports nothing before the first writer has come.
        while try await Blocking.run({ [descriptor] in
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 200) <= 0
        }) {
            try Task.checkCancellation()
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

/// Sound in containers that libsndfile does not read: MP4 and M4A, WebM and Matroska, WMA, AMR, bare AAC.
enum ForeignSound {
    private static let marks: [(offset: Int, bytes: [UInt8])] = [
        (4, Array("ftyp".utf8)), (0, [0x1A, 0x45, 0xDF, 0xA3]), (0, [0x30, 0x26, 0xB2, 0x75]), (0, Array("#!AMR".utf8)),
        (0, [0xFF, 0xF1]), (0, [0xFF, 0xF9]), (8, Array("AVI ".utf8)),
    ]

    /// - Parameter path: `-` and pipes cannot be read again.
    static func isPossible(_ path: String) -> Bool {
        guard let metadata = try? FileMetadata(path: path), metadata.isRegularFile,
            let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 16)
        else { return false }
        let bytes = [UInt8](head)
        return marks.contains { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    }

    static func advice(for path: String) -> String {
        // A name that begins with a dash would be an option.
        let name = ShellWord.quoted(path.hasPrefix("-") ? "./" + path : path)
        return "To convert it: ffmpeg -loglevel error -i \(name) -f wav -ac 1 -ar 16000 - | voicegate transcribe -"
    }
}
