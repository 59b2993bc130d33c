import Foundation
import Glibc

/// A bundle's folder under its temporary name, with the list of its files' digests.
final class BundleFolder {
    private let path: PartialPath
    private let sums: OutputFile

    init(at path: String) throws(ExportError) {
        self.path = try PartialPath(for: path)
        try self.path.makeFolder()
        sums = try OutputFile(creating: self.path.partial + "/SHA256SUMS")
    }

    /// A file whose digest its writer has to note.
    func create(_ name: String) throws(ExportError) -> OutputFile {
        try OutputFile(creating: "\(path.partial)/\(name)")
    }

    /// Notes a file's digest as sha256sum(1) reads it.
    func note(_ digest: String, of name: String) throws(ExportError) { try sums.write("\(digest)  \(name)\n") }

    func write(_ data: Data, as name: String, isListed: Bool = true) throws(ExportError) {
        let file = try create(name)
        try file.write(data)
        let digest = try file.finish()
        if isListed { try note(digest, of: name) }
    }

    /// Writes a text unless the file is there, which then holds the same: its name is made from the text.
    func writeOnce(_ text: String, as name: String) throws(ExportError) {
        guard access("\(path.partial)/\(name)", F_OK) != 0 else { return }
        try makeFolder((name as NSString).deletingLastPathComponent)
        try write(Data(text.utf8), as: name)
    }

    func makeFolder(_ name: String) throws(ExportError) {
        let folder = "\(path.partial)/\(name)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .cannotWrite(folder, errno) }
    }

    /// - Returns: the SHA-256 of the list, which stands for the whole bundle.
    func finishSums() throws(ExportError) -> String { try sums.finish() }

    func complete() throws(ExportError) { try path.complete() }
}
