import Foundation
import Glibc
import TestSupport
import Testing

@testable import Server

@Suite("The socket the service listens on")
struct ListeningSocketTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/voicegate.sock" }

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    private func code(_ path: String) -> ServiceError.Code? {
        do throws(ServiceError) {
            _ = try ListeningSocket(path: path)
            return nil
        } catch {
            return error.code
        }
    }

    /// Leaves a bound socket behind, as a killed service does.
    private func leaveSocket(at path: String) throws {
        let socket = try ListeningSocket(path: folder.path + "/other.sock")
        #expect(rename(socket.path, path) == 0)
    }

    @Test("only its owner may use the socket, from the moment it exists")
    func mode() throws {
        let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, folder.path, UInt32(IN_ATTRIB)) >= 0)
        var events = [UInt8](repeating: 0, count: 4_096)
        let socket = try ListeningSocket(path: path)
        #expect(mode(path) == UInt32(S_IFSOCK) | 0o600)
        #expect(read(watch, &events, events.count) == -1)
        // The watch would have seen a change.
        chmod(socket.path, 0o600)
        #expect(read(watch, &events, events.count) > 0)
    }

    @Test("a missing folder is made with access for the owner only")
    func makesFolder() throws {
        let socket = try ListeningSocket(path: folder.path + "/run/voicegate/s")
        #expect(mode(folder.path + "/run/voicegate") == UInt32(S_IFDIR) | 0o700)
        #expect(mode(socket.path) != nil)
    }

    @Test("a socket that a killed service left behind is replaced")
    func stale() throws {
        try leaveSocket(at: path)
        #expect(mode(path) != nil)
        let socket = try ListeningSocket(path: path)
        #expect(socket.takeDescriptor() >= 0)
    }

    @Test("a second service is refused, and the first one's socket stays")
    func live() throws {
        let first = try ListeningSocket(path: path)
        #expect(code(path) == .alreadyRunning)
        #expect(mode(path) != nil)
        withExtendedLifetime(first) {}
    }

    @Test("a socket that another program serves is not changed")
    func foreign() throws {
        let other = try UnixListener()
        let before = mode(other.path)
        #expect(code(other.path) == .alreadyRunning)
        #expect(mode(other.path) == before)
    }

    @Test("a file that is not a socket is not changed")
    func notSocket() throws {
        let file = try folder.write("precious", to: "voicegate.sock")
        #expect(code(file) == .socketPath)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
        #expect(symlink(file, folder.path + "/link") == 0)
        #expect(code(folder.path + "/link") == .socketPath)
        #expect(mode(folder.path + "/link") != nil)
    }

    @Test("paths that no socket can have are refused")
    func paths() {
        #expect(code("") == .socketPath)
        #expect(code("relative.sock") == .socketPath)
        #expect(code(folder.path + "/a\0b") == .socketPath)
        let prefix = folder.path + "/"
        let longest = prefix + String(repeating: "x", count: 107 - prefix.utf8.count)
        #expect(code(longest + "x") == .socketPath)
        // The lock's name is longer than the socket's, and still fits a file name.
        #expect(code(longest) == nil)
    }

    @Test("a folder that others may write into is refused")
    func openFolder() throws {
        chmod(folder.path, 0o777)
        #expect(code(path) == .socketPath)
        #expect(mode(path) == nil)
        chmod(folder.path, 0o1777)
        #expect(code(path) == nil)
    }

    @Test("it is removed at the end, and the next service can start")
    func removed() throws {
        do { _ = try ListeningSocket(path: path) }
        #expect(mode(path) == nil)
        #expect(code(path) == nil)
    }

    @Test("another file that has replaced the socket stays at the end")
    func notRemoved() throws {
        do {
            let socket = try ListeningSocket(path: path)
            // Kept under another name, so that its inode is not used again.
            #expect(rename(path, folder.path + "/moved") == 0)
            try folder.write("precious", to: "voicegate.sock")
            withExtendedLifetime(socket) {}
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }
}
