import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("The cache of clients", .timeLimit(.minutes(1)))
struct ClientCatalogCacheTests {
    private let folder: TemporaryFolder
    private let cache: ClientCatalogCache
    private var user: String { folder.path + "/config/clients" }

    init() throws {
        folder = try TemporaryFolder()
        cache = ClientCatalogCache(
            directory: ClientDirectory(
                systemFolders: [folder.path + "/system"], userFolder: folder.path + "/config/clients"))
    }

    private func plist(_ identifier: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(identifier)</string>
        <key>CFBundleExecutable</key><string>/bin/\(identifier)</string>
        </dict></plist>
        """
    }

    private func identifiers() async -> [String] {
        await cache.current().catalog.clients.map(\.manifest.identifier.rawValue)
    }

    @Test("without a change the catalogue is the same and no file is read")
    func unchanged() async throws {
        try folder.write(plist("a.b"), to: "config/clients/a/Info.plist")
        try folder.write(plist("c.d"), to: "system/c.plist")
        let first = await cache.current()
        let second = await cache.current()
        #expect(first.version == second.version)
        #expect(second.catalog.clients.map(\.manifest.identifier.rawValue) == ["c.d", "a.b"])
    }

    @Test("each way of installing and removing counts at the next reading")
    func changes() async throws {
        // Neither folder is there yet, nor the one above.
        #expect(await identifiers() == [])
        let file = try folder.write(plist("a.b"), to: "config/clients/a/Info.plist")
        #expect(await identifiers() == ["a.b"])
        try folder.write(plist("a.c"), to: "config/clients/a/Info.plist")
        #expect(await identifiers() == ["a.c"])
        unlink(file)
        #expect(await identifiers() == [])
        try folder.write(plist("a.d"), to: "new")
        rename(folder.path + "/new", file)
        #expect(await identifiers() == ["a.d"])
        rename(user + "/a", user + "/b")
        #expect(await cache.current().catalog.clients.first?.path == user + "/b/Info.plist")
        try folder.write(plist("e.f"), to: "system/e.plist")
        #expect(await identifiers() == ["e.f", "a.d"])
        rename(folder.path + "/config", folder.path + "/moved")
        #expect(await identifiers() == ["e.f"])
        rename(folder.path + "/moved", folder.path + "/config")
        #expect(await identifiers() == ["e.f", "a.d"])
        chmod(user + "/b", 0o777)
        #expect(await identifiers() == ["e.f"])
        #expect(await cache.current().catalog.problems.keys.sorted() == [user + "/b"])
        chmod(user + "/b", 0o755)
        #expect(await identifiers() == ["e.f", "a.d"])
        chmod(user, 0o777)
        #expect(await identifiers() == ["e.f"])
    }

    @Test("a change of a link's target counts")
    func links() async throws {
        let elsewhere = try folder.write(plist("a.b"), to: "elsewhere/a.plist")
        mkdir(folder.path + "/config", 0o755)
        symlink(folder.path + "/elsewhere", user)
        #expect(await identifiers() == ["a.b"])
        try folder.write(plist("a.c"), to: "elsewhere/a.plist")
        #expect(await identifiers() == ["a.c"])
        // A link to a file, and a file with two names.
        try folder.write(plist("e.f"), to: "far/e.plist")
        mkdir(folder.path + "/system", 0o755)
        symlink(folder.path + "/far/e.plist", folder.path + "/system/e.plist")
        try folder.write(plist("g.h"), to: "far/g.plist")
        link(folder.path + "/far/g.plist", folder.path + "/system/g.plist")
        #expect(await identifiers() == ["e.f", "g.h", "a.c"])
        try folder.write(plist("e.x"), to: "far/e.plist")
        #expect(await identifiers() == ["e.x", "g.h", "a.c"])
        try overwrite(folder.path + "/far/g.plist", plist("g.x"))
        #expect(await identifiers() == ["e.x", "g.x", "a.c"])
        unlink(elsewhere)
        #expect(await identifiers() == ["e.x", "g.x"])
    }

    /// Without a new file.
    private func overwrite(_ path: String, _ text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test("a change that one caller notices counts for concurrent callers, too")
    func manyAtOnce() async throws {
        for round in 0..<50 {
            try folder.write(plist("a.b\(round)"), to: "config/clients/a.plist")
            await withTaskGroup(of: [String].self) { group in
                for _ in 0..<8 { group.addTask { await identifiers() } }
                for await found in group { #expect(found == ["a.b\(round)"]) }
            }
        }
    }

    @Test("an unchanged file is not parsed again when a different file changes")
    func neighbours() throws {
        try folder.write(plist("a.b"), to: "config/clients/a.plist")
        let directory = ClientDirectory(systemFolders: [], userFolder: user)
        // A file that changed just now might change again without showing it.
        var fresh = ManifestFiles(isFresh: { _ in true })
        _ = directory.catalog(&fresh) { _ in }
        let once = fresh.bytesRead
        _ = directory.catalog(&fresh) { _ in }
        #expect(fresh.bytesRead == 2 * once)
        // A file's change time cannot be set, so the test says that it is long ago.
        var files = ManifestFiles(isFresh: { _ in false })
        _ = directory.catalog(&files) { _ in }
        let neighbour = plist("c.d")
        try folder.write(neighbour, to: "config/clients/c.plist")
        #expect(directory.catalog(&files) { _ in }.clients.count == 2)
        #expect(files.bytesRead == once + neighbour.utf8.count)
        unlink(user + "/a.plist")
        #expect(directory.catalog(&files) { _ in }.clients.map(\.manifest.identifier.rawValue) == ["c.d"])
        try folder.write(plist("e.f"), to: "config/clients/c.plist")
        #expect(directory.catalog(&files) { _ in }.clients.map(\.manifest.identifier.rawValue) == ["e.f"])
    }
}
