import Foundation
import TestSupport
import Testing

@testable import VoiceGateClient
import VoiceGateWire

@Suite("The client checks a socket before it uses it")
struct ServerSocketTests {
    private func code(of path: String) async -> ClientError.Code? {
        do {
            _ = try await VoiceGateService(socketPath: path).health()
            return nil
        } catch {
            return (error as? ClientError)?.code
        }
    }

    @Test("without a folder, a socket or a listener, the service is not running")
    func notRunning() async throws {
        let folder = try TemporaryFolder()
        #expect(await code(of: folder.path + "/none/s") == .notRunning)
        #expect(await code(of: folder.path + "/s") == .notRunning)
        var stale: String?
        do {
            let listener = try UnixListener()
            stale = listener.path
        }
        #expect(await code(of: stale ?? "") == .notRunning)
    }

    @Test("a path that is too long or empty is refused")
    func unusable() async {
        #expect(await code(of: "/" + String(repeating: "a", count: SocketPath.limit)) == .unusablePath)
        #expect(await code(of: "") == .unusablePath)
    }

    @Test("a folder that others may write to, and a file that is not a socket, are not trusted")
    func untrusted() async throws {
        let server = try UnixListener()
        chmod(SocketPath.directory(of: server.path), 0o777)
        #expect(await code(of: server.path) == .untrustedServer)
        let folder = try TemporaryFolder()
        #expect(await code(of: try folder.write("", to: "s")) == .untrustedServer)
    }

    @Test("a folder is created private, and one that others may read is refused")
    func privateFolder() throws {
        let folder = try TemporaryFolder()
        try PrivateDirectory.make(folder.path + "/a/b")
        #expect(PrivateDirectory.isPrivate(folder.path + "/a/b", owner: getuid()))
        try PrivateDirectory.make(folder.path + "/a/b")
        chmod(folder.path + "/a/b", 0o755)
        #expect(throws: SocketPathError.self) { try PrivateDirectory.make(folder.path + "/a/b") }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "/root")
        #expect(throws: SocketPathError.self) { try PrivateDirectory.make(folder.path + "/link") }
    }
}
