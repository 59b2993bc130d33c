import Base
import CLinux
import Consent
import Cryptography
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// A file that is written sequentially, and the SHA-256 of its contents.
final class OutputFile {
    private static let bufferSize = 1 << 16

    private let descriptor: CInt
    private let isOwned: Bool
    private let path: String
    private var buffer: [UInt8] = []
    private var hash = SHA256()
    private var isOpen = true

    /// Standard output; never closed.
    init(standardOutput: CInt) {
        descriptor = standardOutput
        isOwned = false
        path = "The output"
    }

    /// A new file that only its owner can read.
    ///
    /// - Throws: `ExportError` with `exists` or `cannotWrite`.
    init(creating path: String) throws(ExportError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        isOwned = true
        self.path = path
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotWrite(path, errno)
        }
    }

    deinit { if isOwned, isOpen, descriptor >= 0 { close(descriptor) } }

    func write(_ text: String) throws(ExportError) { try write(text.utf8) }

    func write(_ bytes: some Collection<UInt8>) throws(ExportError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes the rest and closes the file; `PartialPath` syncs it.
    ///
    /// - Returns: the SHA-256 in hexadecimal.
    func finish() throws(ExportError) -> String {
        try flush()
        if isOwned {
            isOpen = false
            guard close(descriptor) == 0 else { throw .cannotWrite(path, errno) }
        }
        return Hexadecimal.encode(hash.finalize())
    }

    private func flush() throws(ExportError) {
        hash.update(data: buffer)
        guard DescriptorBytes.write(buffer, to: descriptor) else {
            guard errno == EPIPE else { throw .cannotWrite(path, errno) }
            throw ExportError(code: .outputClosed, message: "The reader closed the output.")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A file that is written as a whole.
public enum NewFile {
    /// Writes a file that only its owner can read, and that is there only when it is complete.
    ///
    /// - Parameters:
    ///   - bytes: its contents.
    ///   - path: of a file that does not exist yet.
    /// - Throws: `ExportError` with `exists` or `cannotWrite`.
    public static func write(_ bytes: some Collection<UInt8>, to path: String) throws(ExportError) {
        let place = try PartialPath(for: path)
        let file = try OutputFile(creating: place.partial)
        try file.write(bytes)
        _ = try file.finish()
        try place.complete()
    }
}

/// The temporary path of an export, next to its final path. The temporary file is removed unless the export completes.
final class PartialPath {
    private let path: String
    let partial: String
    private var isOver = false

    /// - Throws: `ExportError` with `exists` if the path exists.
    init(for path: String) throws(ExportError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !Self.exists(path) else { throw .exists(path) }
        self.path = path
        let folder = (path as NSString).deletingLastPathComponent
        let name = ".\((path as NSString).lastPathComponent).\(getpid()).partial"
        partial = folder.isEmpty ? name : (folder as NSString).appendingPathComponent(name)
    }

    deinit { if !isOver { try? FileManager.default.removeItem(atPath: partial) } }

    /// Makes a folder that only its owner can enter.
    func makeFolder() throws(ExportError) {
        guard mkdir(partial, 0o700) == 0 else { throw .cannotWrite(partial, errno) }
    }

    /// Syncs the files and renames them to the final path, which must not exist.
    func complete() throws(ExportError) {
        guard !Self.exists(path) else { throw .exists(path) }
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
        defer { close(descriptor) }
        // One sync for all files, because a bundle can have very many.
        guard vg_sync_files(descriptor) == 0 else { throw .cannotWrite(path, errno) }
        guard vg_rename_new(partial, path) == 0 || errno == EINVAL && rename(partial, path) == 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotWrite(path, errno)
        }
        isOver = true
        fsync(descriptor)
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

/// Runs an export on its own queue, because it blocks on disks and pipes.
final class WritingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "io.voicegate.export")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
