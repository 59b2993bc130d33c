import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate service", .timeLimit(.minutes(3)))
struct ServiceControlTests {
    let own: OwnService

    init() throws { own = try OwnService() }

    private func service(
        _ words: [String], adding variables: [String: String] = [:]
    ) async throws -> (status: Int32, lines: [String], errors: String) {
        let command = try RunningProgram(
            [Programs.commandLine, "service"] + words,
            environment: own.environment.merging(variables) { _, new in new })
        return (await command.end(), command.lines, command.errorText)
    }

    @Test("starts, shows and stops the user's own service")
    func life() async throws {
        try await own.ending {
            let before = try await service(["status"])
            #expect(before.status == 69)
            #expect(before.lines.first == "Service     does not run")
            #expect(own.processes.isEmpty, "status starts nothing")

            #expect(try await service(["start"]).status == 0)
            let process = try #require(try await own.process())
            let again = try await service(["start"])
            #expect(again.status == 0)
            #expect(again.errors == "The service was running already (process \(process)).\n")
            let state = try await service(["status"])
            #expect(state.status == 0)
            #expect(state.lines.first?.hasPrefix("Service     process \(process), version ") == true)
            #expect(state.lines.contains("Socket      \(own.socket)"))
            #expect(state.lines.contains("Messages    tail -F \(own.log)"))

            let stopped = try await service(["stop"])
            #expect(stopped.status == 0)
            #expect(stopped.errors == "The service was stopped.\n")
            #expect(OwnService.program(of: process) == nil, "it returns when the process has ended")
            let nothing = try await service(["stop"])
            #expect(nothing.status == 0)
            #expect(nothing.errors == "The service was not running.\n")
        }
    }

    @Test("restart replaces the process, and --json says by which")
    func restart() async throws {
        try await own.ending {
            #expect(try await service(["start"]).status == 0)
            let first = try #require(try await own.process())
            let restarted = try await service(["restart", "--json"])
            #expect(restarted.status == 0, "\(restarted.errors)")
            let second = try #require(try await own.process())
            #expect(first != second)
            #expect(own.processes == [second])
            #expect(restarted.lines.last?.contains("\"processIdentifier\":\(second)") == true)
        }
    }

    @Test("restart keeps the running service if config.yaml has an error, and says which")
    func restartWithErrors() async throws {
        try await own.ending {
            #expect(try await service(["start"]).status == 0)
            let first = try #require(try await own.process())
            let folder = own.folder.path + "/config/voicegate"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("modle: /x\n".utf8).write(to: URL(filePath: folder + "/config.yaml"))
            let refused = try await service(["restart"])
            #expect(refused.status == 78)
            #expect(refused.errors.contains("continues with the old settings"))
            #expect(refused.errors.contains("modle"), "\(refused.errors)")
            #expect(try await own.process() == first)

            try Data("endSilence: 0.6\n".utf8).write(to: URL(filePath: folder + "/config.yaml"))
            #expect(try await service(["restart"]).status == 0)
            #expect(try await own.process() != first)
        }
    }

    /// A `systemctl` that knows the user's unit and notes its arguments, because the tests' machine has no systemd.
    ///
    /// - Parameter isUsed: whether the unit is enabled.
    private func systemctl(isUsed: Bool) throws -> (path: String, calls: () throws -> [String]) {
        let folder = own.folder.path + "/tools"
        let calls = own.folder.path + "/calls"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let states = "LoadState=loaded\\nActiveState=inactive\\nUnitFileState=\(isUsed ? "enabled" : "disabled")\\n"
        let script = "#!/bin/sh\necho \"$@\" >> \(calls)\n[ \"$2\" = show ] && printf '\(states)'\nexit 0\n"
        try Data(script.utf8).write(to: URL(filePath: folder + "/systemctl"))
        chmod(folder + "/systemctl", 0o755)
        return (
            folder + ":/usr/bin:/bin",
            { try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").map(String.init) }
        )
    }

    @Test("a service that systemd starts is controlled by systemctl")
    func systemds() async throws {
        let tool = try systemctl(isUsed: true)
        // The units that it would start do not listen.
        #expect(try await service(["start"], adding: ["PATH": tool.path]).status != 0)
        #expect(try tool.calls().last == "--user start voicegate.socket voicegate.service")
        let state = try await service(["status", "--json"], adding: ["PATH": tool.path])
        #expect(state.lines.last?.contains("\"manager\":\"user\"") == true, "\(state.lines)")
        #expect(own.processes.isEmpty, "voicegate starts no second service beside systemd's")
    }

    @Test("a log that the service refuses is continued by the command that it names")
    func refusedLog() async throws {
        try await own.ending {
            #expect(try await service(["start"]).status == 0)
            #expect(try await service(["start", "--replace-lost-key"]).status != 0, "it runs")
            #expect(try await service(["stop"]).status == 0)
            unlink(own.folder.path + "/state/voicegate/consent.checkpoint")
            unlink(own.folder.path + "/state/voicegate/consent.key")
            let refused = try await service(["start"])
            let command = "service start --accept-restored-log --replace-lost-key"
            #expect(refused.status != 0 && refused.errors.contains("voicegate \(command) "), "\(refused.errors)")
            #expect(try await service(command.split(separator: " ").dropFirst().map(String.init)).status == 0)
            #expect(try await service(["restart"]).status == 0, "the next start does without")
        }
    }

    @Test("systemd's service gets the options of one start in its environment, and they do not stay there")
    func startOptions() async throws {
        let tool = try systemctl(isUsed: true)
        // The units that it would start do not listen.
        #expect(try await service(["start", "--accept-restored-log"], adding: ["PATH": tool.path]).status != 0)
        let units = "voicegate.socket voicegate.service"
        let calls = try tool.calls().drop { !$0.contains(" stop ") }.map { $0.replacing(/until=\d+$/, with: "until=T") }
        #expect(
            calls == [
                "--user stop \(units)", "--user reset-failed \(units)",
                "--user set-environment VOICEGATED_START_OPTIONS=--accept-restored-log until=T",
                "--user start \(units)",
                "--user unset-environment VOICEGATED_START_OPTIONS",
            ])
        #expect(own.processes.isEmpty)
    }

    @Test("a service that a command started is stopped as well where systemd only knows the unit")
    func beforeSystemd() async throws {
        let tool = try systemctl(isUsed: false)
        try await own.ending {
            #expect(try await service(["start"], adding: ["PATH": tool.path]).status == 0)
            let process = try #require(try await own.process())
            let done = try await service(["stop"], adding: ["PATH": tool.path])
            #expect(done.status == 0, "\(done.errors)")
            #expect(OwnService.program(of: process) == nil)
            #expect(own.processes.isEmpty)
            #expect(try !tool.calls().contains { $0.hasPrefix("--user stop") })
        }
    }
}
