import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Digests of files")
struct FileDigestsTests {
    /// Changes a file of 400 MB, of which no byte is on the disk, while it is read.
    private func digest(_ digests: FileDigests, while change: (_ path: String) throws -> Void) async throws
        -> String?
    {
        let folder = try TemporaryFolder()
        let path = try folder.write("program", to: "program")
        #expect(truncate(path, 400_000_000) == 0)
        let reading = Task.detached { digests.sha256(of: path) }
        while digests.readings == 0 { await Task.yield() }
        try change(path)
        return await reading.value
    }

    @Test("a file that gets another link while it is read is read again")
    func linked() async throws {
        let digests = FileDigests()
        let digest = try await digest(digests) { path in #expect(link(path, path + ".link") == 0) }
        #expect(digest?.count == 64)
        #expect(digests.readings == 2)
    }

    @Test("a file that is written to while it is read has no digest")
    func written() async throws {
        let digests = FileDigests()
        let digest = try await digest(digests) { path in
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.write(contentsOf: Data("another".utf8))
        }
        #expect(digest == nil)
        #expect(digests.readings == 1)
    }
}
