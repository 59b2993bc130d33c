import Foundation
import Glibc
import TestSupport
import Testing

@testable import Server

@Suite("Sockets of a service manager")
struct ActivatedSocketsTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/activated.sock" }

    init() throws { folder = try TemporaryFolder() }

    /// Bound as systemd would, and left inheritable.
    private func bound(listening: Bool = true) throws -> Int32 {
        let own = try ListeningSocket(path: folder.path + "/own.sock")
        let descriptor = own.takeDescriptor()
        #expect(rename(own.path, path) == 0)
        guard listening else {
            close(descriptor)
            return socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        }
        _ = fcntl(descriptor, F_SETFD, 0)
        return descriptor
    }

    @Test("sockets are accepted only if they are for this process, and at most 16")
    func addressed() {
        #expect(ActivatedSockets.count(in: ["LISTEN_PID": "42", "LISTEN_FDS": "2"], process: 42) == 2)
        for environment in [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "42"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "42", "LISTEN_FDS": "0"], ["LISTEN_PID": "42", "LISTEN_FDS": "-1"],
            ["LISTEN_PID": "42", "LISTEN_FDS": "99999"], ["LISTEN_PID": "42", "LISTEN_FDS": "x"],
        ] {
            #expect(ActivatedSockets.count(in: environment, process: 42) == nil, "\(environment)")
        }
    }

    @Test("a listening socket is found by its path and not inherited; other descriptors are not changed")
    func told() throws {
        let descriptor = try bound()
        defer { close(descriptor) }
        // The kernel keeps the path that it was bound to.
        let found = ActivatedSockets.listening(descriptor..<descriptor + 1)
        #expect(found == [folder.path + "/own.sock": descriptor])
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        let silent = try bound(listening: false)
        defer { close(silent) }
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        for other in [silent, file, 4_000_000] { #expect(ActivatedSockets.listening(other..<other + 1).isEmpty) }
    }

    @Test("the service uses the socket with its path, and leaves the file to the manager when it ends")
    func adopted() throws {
        let descriptor = try bound()
        let activated = ActivatedSockets(descriptors: [path: descriptor])
        do {
            let socket = try ListeningSocket(path: path, activated: activated, state: folder.path + "/state")
            #expect(socket.takeDescriptor() == descriptor)
        }
        #expect(access(path, F_OK) == 0)
        #expect(fcntl(descriptor, F_GETFD) >= 0, "it was closed by somebody who had handed it on")
        close(descriptor)
    }

    @Test("a manager's socket that only some users can use is a problem with a remedy; the service's own is not")
    func modes() throws {
        let descriptor = try bound()
        defer { close(descriptor) }
        let activated = ActivatedSockets(descriptors: [path: descriptor])
        let socket = try ListeningSocket(path: path, activated: activated, state: folder.path + "/state")
        chmod(path, 0o644)
        #expect(socket.problemOfOtherUsers?.contains("mode 0644") == true)
        #expect(socket.problemOfOtherUsers?.hasSuffix("chmod 0666 \(path)") == true)
        chmod(path, 0o666)
        #expect(socket.problemOfOtherUsers == nil)
        #expect(try ListeningSocket(path: folder.path + "/another.sock").problemOfOtherUsers == nil)
        _ = socket.takeDescriptor()
    }

    @Test("one state directory has one service, however many sockets there are")
    func locked() throws {
        let descriptor = try bound()
        let activated = ActivatedSockets(descriptors: [path: descriptor])
        let first = try ListeningSocket(path: path, activated: activated, state: folder.path + "/state")
        let error = #expect(throws: ServiceError.self) {
            _ = try ListeningSocket(path: path, activated: activated, state: folder.path + "/state")
        }
        #expect(error?.code == .alreadyRunning)
        #expect(first.path == path)
    }

    @Test("a socket at another path than the service's is an error, not a second socket")
    func mismatched() throws {
        let activated = ActivatedSockets(descriptors: ["/elsewhere": 4_000_000])
        let error = #expect(throws: ServiceError.self) {
            _ = try ListeningSocket(path: path, activated: activated, state: folder.path + "/state")
        }
        #expect(error?.code == .configuration)
        #expect(access(path, F_OK) != 0)
    }
}
