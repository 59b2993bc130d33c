import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Prompting

/// pkcheck itself is replaced by a script that records how it was called: polkit's daemon, its bus and a person with a
/// password cannot be had in a test of one room.
@Suite("Asking polkit", .timeLimit(.minutes(1)))
struct PolkitAuthorityTests {
    private let folder: TemporaryFolder
    private let caller = Caller(
        process: ProcessIdentity(processIdentifier: 4711, startTime: 998_877), user: 1000,
        executable: Executable(path: "/usr/bin/voicegate", device: 1, inode: 2, sha256: "aa"))
    private let act = ConfirmedAct.unmute(.user)

    init() throws { folder = try TemporaryFolder() }

    private func pkcheck(_ script: String) throws -> String {
        let path = try folder.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(folder.path)/argv'\n\(script)\n", to: "pkcheck")
        #expect(chmod(path, 0o700) == 0)
        return path
    }

    /// The code with which polkit refuses the act.
    private func refusal(_ authority: PolkitAuthority) async -> PolkitError.Code? {
        await failure(PolkitError.self) { try await authority.check(act, saying: "x", of: caller) }?.code
    }

    private var argv: String { (try? String(contentsOfFile: folder.path + "/argv", encoding: .utf8)) ?? "" }

    @Test("the subject has its start time and user, interaction is allowed, and the details are those of the prompt")
    func arguments() async throws {
        let act = try #require(ConfirmedAct(.whileInUse, .full, to: Prompt.example()))
        try await PolkitAuthority(program: pkcheck("exit 0")).check(act, saying: "Allow?", of: caller)
        #expect(
            argv.split(separator: "\n") == [
                "--action-id", "io.voicegate.answer", "--process", "4711,998877,1000", "--allow-user-interaction",
                "--detail", "client", "org.example.notes", "--detail", "program", "/usr/bin/notes",
                "--detail", "resource", "microphone", "--detail", "scope", "whileInUse", "--detail", "fidelity", "full",
                "--detail", "polkit.message", "Allow?",
            ])
        try await PolkitAuthority(program: pkcheck("exit 0")).check(.unmute(.user), saying: "Unmute?", of: caller)
        #expect(argv.contains("io.voicegate.settings") && argv.contains("scope\nuser\n") && !argv.contains("client"))
    }

    @Test(
        "every result but success is a refusal with its reason",
        arguments: [
            ("exit 1", .notAuthorized), ("exit 2", .noAuthenticationAgent), ("exit 3", .dismissed),
            ("exit 126", .unavailable), ("exit 127", .unavailable), ("exit 77", .unavailable),
            ("kill -9 $$", .unavailable),
        ] as [(String, PolkitError.Code)])
    func refusals(script: String, code: PolkitError.Code) async throws {
        #expect(await refusal(PolkitAuthority(program: try pkcheck(script))) == code)
    }

    @Test("without pkcheck nothing is authorized")
    func missing() async throws { #expect(await refusal(PolkitAuthority(program: "/nowhere/pkcheck")) == .unavailable) }

    @Test("after the timeout the action is not confirmed and pkcheck is ended")
    func timeout() async throws {
        let fifo = folder.path + "/asking"
        #expect(mkfifo(fifo, 0o600) == 0)
        let program = try pkcheck(
            "trap 'touch \"\(folder.path)/ended\"; exit 0' TERM; echo > '\(fifo)'; while :; do sleep 0.05; done")
        let authority = PolkitAuthority(program: program) { _ in
            // The time is over once pkcheck asks.
            await Task.detached {
                let reader = open(fifo, O_RDONLY)
                var byte: UInt8 = 0
                _ = read(reader, &byte, 1)
                close(reader)
            }.value
        }
        #expect(await refusal(authority) == .dismissed)
        #expect(access(folder.path + "/ended", F_OK) == 0)
    }
}
