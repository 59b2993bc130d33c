import Foundation
import Glibc
import Synchronization
import Storage
import TestSupport
import Testing

@testable import Daemon
@testable import Server

@Suite("The service manager", .timeLimit(.minutes(1)))
struct WatchdogTests {
    /// What a service manager listens on.
    private final class Mailbox: Sendable {
        private let descriptor: Int32

        /// - Parameter address: a path, or an abstract name after `@`.
        init(_ address: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)
            var place = sockaddr_un()
            place.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &place.sun_path) {
                $0.copyBytes(from: address.utf8)
                if address.hasPrefix("@") { $0[0] = 0 }
            }
            let size = socklen_t(MemoryLayout<sa_family_t>.size + address.utf8.count)
            let bound = withUnsafePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        /// `nil`: no message has arrived.
        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test("without an address nothing is sent; a timeout for another process, or one that is not a number, is ignored")
    func environment() {
        #expect(ServiceManager().address == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]).address == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "/a"]).address == "/a")
        let timeout = ["WATCHDOG_USEC": "60000000"]
        #expect(ServiceManager(environment: timeout, process: 42).timeout == .seconds(60))
        #expect(ServiceManager(environment: timeout.merging(["WATCHDOG_PID": "42"]) { $1 }, process: 42).timeout != nil)
        #expect(ServiceManager(environment: timeout.merging(["WATCHDOG_PID": "41"]) { $1 }, process: 42).timeout == nil)
        for text in ["0", "-1", "x", ""] {
            #expect(ServiceManager(environment: ["WATCHDOG_USEC": text]).timeout == nil, "\(text)")
        }
    }

    @Test("hears that the service is ready, by a path and by an abstract name", arguments: [false, true])
    func ready(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let address = (isAbstract ? "@" : "") + folder.path + "/notify"
        let mailbox = try Mailbox(address)
        ServiceManager(environment: ["NOTIFY_SOCKET": address]).send(.ready)
        #expect(mailbox.next() == "READY=1")
        #expect(mailbox.next() == nil)
    }

    @Test("starts a service again only after what may pass: another service, a held device, a full or failing disk")
    func exitCodes() throws {
        let unit = try String(
            contentsOf: Checkout.root.appending(path: "Packaging/systemd/system/voicegate.service"), encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("RestartPreventExitStatus=") })
        let final = Set(line.drop { $0 != "=" }.dropFirst().split(separator: " ").compactMap { Int32($0) })
        func isFinal(_ error: any Error) -> Bool { final.contains(VoicegateDaemon.exitCode(of: error)) }
        for code in ServiceErrorCode.allCases {
            let mayPass = [.alreadyRunning, .deviceHeld].contains(code)
            #expect(isFinal(ServiceError(code: code, message: "")) != mayPass, "\(code)")
        }
        for code in [StorageError.Code.locked, .full, .inputOutput] {
            #expect(!isFinal(StorageError(code: code, message: "")), "\(code)")
        }
        for code in [StorageError.Code.cannotOpen, .notWritable, .corrupt, .schemaTooNew, .logLost] {
            #expect(isFinal(StorageError(code: code, message: "")), "\(code)")
        }
        #expect(isFinal(CancellationError()))
    }

    @Test("starts a service again that had begun to serve, whatever ended it; a full disk keeps its code")
    func exitCodesLater() {
        for code in ServiceErrorCode.allCases {
            let code = VoicegateDaemon.exitCode(of: ServiceEnded(reason: ServiceError(code: code, message: "")))
            #expect([EX_SOFTWARE, EX_TEMPFAIL].contains(code), "\(code)")
        }
        for (reason, code) in [
            (CancellationError() as any Error, EX_SOFTWARE), (StorageError(code: .corrupt, message: ""), EX_SOFTWARE),
            (StorageError(code: .full, message: ""), EX_IOERR),
        ] {
            #expect(VoicegateDaemon.exitCode(of: ServiceEnded(reason: reason)) == code, "\(reason)")
        }
    }

    @Test("hears from a service that works, nothing from one that hangs, and when it stops")
    func hangs() async throws {
        let folder = try TemporaryFolder()
        let mailbox = try Mailbox(folder.path + "/notify")
        let (probes, queue) = AsyncStream.makeStream(of: Int.self)
        let count = Mutex(0)
        let hung = AsyncStream.makeStream(of: Void.self)
        let watchdog = Watchdog(
            manager: ServiceManager(environment: ["NOTIFY_SOCKET": folder.path + "/notify", "WATCHDOG_USEC": "2000"])
        ) {
            let number = count.withLock {
                $0 += 1
                return $0
            }
            queue.yield(number)
            if number == 3 { for await _ in hung.stream {} }
        }
        let running = Task { try await watchdog.run() }
        for await number in probes where number == 3 { break }
        #expect(mailbox.next() == "WATCHDOG=1")
        #expect(mailbox.next() == "WATCHDOG=1")
        #expect(mailbox.next() == nil)
        running.cancel()
        try await running.value
        #expect(mailbox.next() == "STOPPING=1")
        hung.continuation.finish()
    }

    @Test("hears only that the service stops if it wants no sign of life")
    func noTimeout() async throws {
        let folder = try TemporaryFolder()
        let mailbox = try Mailbox(folder.path + "/notify")
        let running = Task {
            try await Watchdog(manager: ServiceManager(environment: ["NOTIFY_SOCKET": folder.path + "/notify"])) {
                Issue.record("probed")
            }.run()
        }
        running.cancel()
        try await running.value
        #expect(mailbox.next() == "STOPPING=1")
        #expect(mailbox.next() == nil)
    }
}
