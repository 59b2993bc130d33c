import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The command line asks, shows and changes", .timeLimit(.minutes(3)))
struct CommandLineTests {
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
    }

    /// The line of the settings' table about this program and resource.
    private func setting(_ client: String, _ resource: String, of lines: [String]) -> String? {
        lines.first { $0.hasPrefix(client + " ") && $0.contains(" \(resource) ") }
    }

    @Test("devices lists the microphone under the name that --device takes")
    func devices() async throws {
        let (status, output, _) = try await service.run(["devices"])
        #expect(status == 0)
        #expect(output.contains { $0.hasPrefix("mic ") && $0.contains("Virtual microphone mic") }, "\(output)")
        let json = try await service.run(["devices", "--json"])
        #expect(json.output.count == 1)
        #expect(json.output.first?.contains(#""name":"mic""#) == true)
    }

    @Test("no prompt is shown for a microphone that does not exist")
    func absentDevice() async throws {
        let program = try await service.run(["dictate", "--device", "nixda"])
        #expect(program.status == 69 && program.errors.contains("There is no microphone “nixda”"), "\(program)")
        let reply = try service.curl("/v1/dictation", ["-d", #"{"device":"nixda"}"#])
        await reply.end()
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
        let misspelt = try await service.run(["dictate", "--device", "mik"])
        #expect(misspelt.errors.contains("There is no microphone “mik”. Did you mean “mic”?"), "\(misspelt)")
    }

    @Test("at a terminal long text goes through the pager, and not with --no-pager or --json")
    func pager() async throws {
        let pager = ["PAGER": "sed s/^/paged:/"]
        let cases: [([String], Int)] = [([], 1), (["--no-pager"], 0), (["--json"], 0)]
        for (options, times) in cases {
            let records = try service.atTerminal(["audit", "records"] + options, variables: pager)
            #expect(await records.end() == 0)
            #expect(records.count(of: "log.genesis") == 1)
            #expect(min(records.count(of: "paged:"), 1) == times, "\(options): \(records.lines)")
        }
        let piped = try await service.run(["audit", "records"], variables: pager)
        #expect(piped.output.contains { $0.contains("log.genesis") && !$0.contains("paged:") }, "\(piped)")
    }

    @Test("request asks for both, shows the status, and does not ask again")
    func request() async throws {
        for _ in 0..<2 {
            let (status, output, _) = try await service.run(["request"])
            #expect(status == 0)
            #expect(output.count { $0.hasSuffix("  allowed (while in use)") } == 2, "\(output)")
            #expect(output.contains("  To change a permission: voicegate settings"), "\(output)")
        }
        #expect(try await service.records().count { $0.kind == "notice.shown" } == 2)
    }

    @Test("request of one resource asks for that one only")
    func requestOne() async throws {
        #expect(try await service.run(["request", "speechRecognition"]).status == 0)
        let notices = try await service.records().filter { $0.kind == "notice.shown" }
        #expect(notices.map { $0.text("resource") } == ["speechRecognition"])
    }

    @Test("settings allow, deny and ask again, each shown as it came to, and another program's stay")
    func settings() async throws {
        #expect(try await service.run(["request"]).status == 0)
        let client = "org.example.curl"
        // The other resource stays decided, so that the program has its lines after --ask too.
        #expect(try await service.run(["settings", client, "--deny", "speechRecognition"]).status == 0)
        for (option, word) in [("--allow", "allowed"), ("--deny", "denied"), ("--ask", "ask next time")] {
            let (status, output, errors) = try await service.run(["settings", client, option, "microphone"])
            #expect(status == 0, "\(errors)")
            let line = try #require(setting(client, "microphone", of: output))
            #expect(line.contains(" \(word) "), "\(option): \(output)")
            #expect(line.hasSuffix(option == "--ask" ? "-" : "in settings"), "\(output)")
            #expect(setting("io.voicegate.cli", "microphone", of: output) == nil)
        }
        let all = try await service.run(["settings"]).output
        #expect(all.first?.split(separator: " ") == ["CLIENT", "RESOURCE", "STATUS", "DECIDED", "HOW"])
        let own = try #require(setting("io.voicegate.cli", "microphone", of: all))
        #expect(own.contains("allowed") && own.hasSuffix("by a script"), "\(own)")
    }

    @Test("reset forgets this command's answers, another program's, or everybody's")
    func reset() async throws {
        let clients = ["io.voicegate.cli", "org.example.curl"]
        func isAllowed() async throws -> [Bool] {
            let table = try await service.run(["settings"]).output
            return clients.map { setting($0, "microphone", of: table)?.contains("allowed") == true }
        }
        func allowBoth() async throws {
            for client in clients {
                #expect(try await service.run(["settings", client, "--allow", "microphone"]).status == 0)
            }
            #expect(try await isAllowed() == [true, true])
        }
        try await allowBoth()
        #expect(try await service.run(["reset"]).status == 0)
        #expect(try await isAllowed() == [false, true])
        try await allowBoth()
        #expect(try await service.run(["reset", "--client", "org.example.curl"]).status == 0)
        #expect(try await isAllowed() == [true, false])
        try await allowBoth()
        #expect(try await service.run(["reset", "speechRecognition", "--all"]).status == 0)
        #expect(try await isAllowed() == [true, true])
        #expect(try await service.run(["reset", "--all"]).status == 0)
        #expect(try await isAllowed() == [false, false])
    }

    @Test("status says what may be done and what to do next, as text and as one object")
    func status() async throws {
        let (status, output, errors) = try await service.run(["status"])
        #expect(status == 0)
        #expect(errors.isEmpty)
        #expect(output.count { $0.contains("not decided. To be asked now: voicegate request") } == 2, "\(output)")
        let last = ["Nothing listens now.", "Speech is recognised by PocketSphinx on this machine."]
        #expect(output.suffix(3).prefix(2) == last[...], "\(output)")
        #expect(output.last?.contains("records unnoticed: voicegate doctor") == true, "\(output)")
        let json = try await service.run(["status", "--json"]).output
        #expect(json.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data((json.first ?? "").utf8)) as? [String: Any]
        let authorization = try #require(object?["authorization"] as? [String: Any])
        #expect(authorization["microphone"] as? String == "notDetermined")
        #expect((object?["indicator"] as? [String: Any])?["sessions"] as? [String] == [])
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
    }

    @Test("status --follow shows a change when it happens")
    func follow() async throws {
        let following = try service.commandLine(["status", "--follow"])
        try await following.line { $0.contains("Microphone") && $0.contains("not decided") }
        #expect(!following.lines.contains { $0.contains("allowed (") })
        let change = try await service.run(["settings", "io.voicegate.cli", "--allow", "microphone"])
        #expect(change.status == 0, "\(change)")
        try await following.line { $0.contains("Microphone") && $0.contains("allowed (while in use)") }
        following.signal(SIGINT)
        #expect(await following.end() == 128 + SIGINT)
    }

    @Test("audit records --follow shows each record once when it is written, and keeps to the filter")
    func followRecords() async throws {
        let all = try service.commandLine(["audit", "records", "--follow", "--since", "2h"])
        let filtered = try service.commandLine(["audit", "records", "--follow", "--client", "org.example.other"])
        try await all.line { $0.contains("log.genesis") }
        let change = try await service.run(["settings", "io.voicegate.cli", "--allow", "microphone"])
        #expect(change.status == 0, "\(change)")
        try await all.line { $0.contains("decision.granted") }
        #expect(try await service.run(["mute"]).status == 0)
        try await all.line { $0.contains("service.muted") }
        #expect(all.lines.count { $0.contains("decision.granted") } == 1, "\(all.lines)")
        #expect(filtered.lines.isEmpty)
        for following in [all, filtered] {
            following.signal(SIGINT)
            #expect(await following.end() == 128 + SIGINT)
        }
        let later = try await service.run(["audit", "records", "--since", "now"])
        #expect(later.status == 0 && later.output.isEmpty)
    }

    @Test(
        "wrong usage is 64, and standard output stays empty",
        arguments: [
            ["dictate", "--loud"], ["nothing"], ["transcribe"], ["transcribe", "--format", "srt", "a.wav", "b.wav"],
            ["dictate", "--stop-after-silence", "0"], ["settings", "--allow", "microphone"],
            ["settings", "no identifier", "--allow", "microphone"], ["reset", "camera"],
            ["reset", "--all", "--client", "org.example.curl"], ["audit", "records", "--limit", "0"],
            ["audit", "records", "--limit", "10001"], ["audit", "records", "--since", "someday"],
        ])
    func usage(_ arguments: [String]) async throws {
        let (status, output, errors) = try await service.run(arguments)
        #expect(status == 64, "\(errors)")
        #expect(output.isEmpty)
        #expect(!errors.isEmpty)
    }

    @Test("a reader that went away ends a command quietly", arguments: ["devices", "transcribe", "status", "dictate"])
    func closedPipe(_ command: String) async throws {
        let words = command == "transcribe" ? "transcribe \(Programs.librivox("0880"))" : command
        let script = """
            { read line; "$0" \(words) --socket "$1"; echo "status $?" >&2; } | { exec 0<&-; echo "closed" >&2; }
            """
        let program = try RunningProgram(
            ["/bin/bash", "-c", script, Programs.commandLine, service.socket], environment: service.environment)
        try await program.shows("closed")
        try program.type("\n")
        await program.end()
        #expect(program.errorText.contains("status 0"), "\(program.errorText)")
        #expect(!program.errorText.contains("voicegate:"), "\(program.errorText)")
    }

    @Test("a closed standard file is an error only where it is needed")
    func closedFiles() async throws {
        for (closing, command, status) in [(">&-", "status", 74), ("<&-", "transcribe -", 66), ("2>&-", "status", 0)] {
            let program = try RunningProgram(
                [
                    "/bin/sh", "-c", #""$0" \#(command) --socket "$1" \#(closing)"#, Programs.commandLine,
                    service.socket,
                ], environment: service.environment)
            #expect(await program.end() == Int32(status), "\(command) \(closing): \(program.errorText)")
            #expect(status == 0 || program.errorText.contains(status == 74 ? "cannot be written" : "cannot be read"))
        }
    }

    @Test("audit records names program and kind in each line; verify prints how many there are")
    func audit() async throws {
        #expect(try await service.run(["request", "microphone"]).status == 0)
        let (status, output, _) = try await service.run(["audit", "records"])
        #expect(status == 0)
        #expect(output.count == 5)
        let kinds = ["log.genesis", "key.rotated", "decision.asked", "notice.shown", "decision.granted"]
        for (place, (line, kind)) in zip(output, kinds).enumerated() {
            #expect(line.contains("  \(kind) "), "\(line)")
            if place > 1 { #expect(line.contains("io.voicegate.cli · microphone"), "\(line)") }
        }
        #expect(try await service.run(["audit", "records", "--limit", "1"]).output == output.suffix(1))
        #expect(try await service.run(["audit", "records", "--client", "org.example.curl"]).output.isEmpty)
        let verification = try await service.run(["audit", "verify"])
        #expect(verification.status == 0)
        #expect(verification.output.first?.hasPrefix("The log verifies: 5 records, root ") == true, "\(verification)")
    }

    @Test("a byte of the stored log that was changed is found, and its record is named")
    func tampered() async throws {
        #expect(try await service.run(["request"]).status == 0)
        // The last records are looked at before anything is served; this one is not to be among them.
        #expect(try await service.run(["mute"]).status == 0)
        #expect(await service.stop() == 0)
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            fields = bytearray(database.execute("SELECT disclosed FROM entries WHERE position = 2").fetchone()[0])
            fields[len(fields) // 2] ^= 1
            database.execute("UPDATE entries SET disclosed = ? WHERE position = 2", (bytes(fields),))
            database.commit()
            """
        let tampering = try RunningProgram(
            ["/usr/bin/python3", "-c", script, service.stateDirectory + "/consent.sqlite"],
            environment: service.environment)
        #expect(await tampering.end() == 0, "\(tampering.errorText)")
        let next = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: service)
        let verification = try await next.run(["audit", "verify"])
        #expect(verification.status == 65, "\(verification)")
        #expect(verification.output.isEmpty)
        #expect(verification.errors.contains("Record 2 does not fit"), "\(verification)")
        // Also if the program that reads the results has ended.
        let unread = try RunningProgram(
            [
                "/bin/bash", "-c", #"sleep 0 | "$0" audit verify --json --socket "$1" | true; exit "${PIPESTATUS[1]}""#,
                Programs.commandLine, next.socket,
            ], environment: next.environment)
        #expect(await unread.end() == 65, "\(unread.errorText)")
    }
}
