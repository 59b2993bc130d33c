import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate audit export", .timeLimit(.minutes(3)))
struct ExportCommandTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    var path: String { folder.path + "/out" }
    var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    init() async throws {
        folder = try TemporaryFolder()
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
    }

    private func listen() async throws {
        #expect(try await service.run(["dictate", "--stop-after-silence", "1"]).status == 0)
    }

    private func object(_ line: String?) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any])
    }

    @Test("a bundle contains prompts, answers and sessions, and the export is itself a record with its digest")
    func bundle() async throws {
        try await listen()
        let (status, output, errors) = try await service.run(["audit", "export", "--output", path, "--json"])
        #expect(status == 0, "\(errors)")
        let summary = try object(output.first)
        #expect(output.count == 1 && summary["format"] as? String == "bundle")
        let files = try FileManager.default.subpathsOfDirectory(atPath: path)
        #expect(Set(files).isSuperset(of: ["records.jsonl", "checkpoint", "log.vkey", "SHA256SUMS.note", "notices"]))
        #expect(files.count { $0.hasPrefix("notices/") } == 2 && !files.contains("proofs"))
        let accesses = try String(contentsOfFile: path + "/accesses.csv", encoding: .utf8).split(separator: "\r\n")
        #expect(accesses.count == 2 && accesses[1].hasPrefix("listened,io.voicegate.cli,"))
        let made = try #require(try await service.records().last { $0.kind == "export.made" })
        #expect(made.index == summary["record"] as? Int)
        #expect(made.text("sha256") == summary["sha256"] as? String && made.text("format") == "bundle")
        let note = try String(contentsOfFile: path + "/SHA256SUMS.note", encoding: .utf8)
        #expect(note.contains("/export\n\(try #require(summary["sha256"] as? String))\n\n— voicegate.local/log/"))
        #expect(left == ["out"])
        let verification = try await service.run(["audit", "verify", path])
        #expect(verification.status == 0, "\(verification.errors)")
    }

    @Test("a bundle about one program has its records alone, each with its proof")
    func part() async throws {
        try await listen()
        let curl = try service.curl("/v1/authorization/requests", ["-X", "POST"])
        #expect(await curl.end() == 0)
        let answer = try await service.run([
            "audit", "export", "--client", "org.example.curl", "--output", path, "--language", "ko",
        ])
        #expect(answer.status == 0, "\(answer.errors)")
        let text = try String(contentsOfFile: path + "/records.jsonl", encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(
            !lines.isEmpty && lines.allSatisfy { $0.contains("org.example.curl") && !$0.contains("io.voicegate.cli") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/proofs").count == lines.count)
        #expect(try String(contentsOfFile: path + "/report.html", encoding: .utf8).contains("<html lang=\"ko\">"))
        #expect(
            try object(try String(contentsOfFile: path + "/scope.json", encoding: .utf8))["whole"] as? Bool == false)
    }

    @Test("in a pipe each format is on standard output, without a word about progress")
    func pipes() async throws {
        try await listen()
        let beginnings = [
            "jsonl": "{\"index\":0,", "csv": "table,record,", "jsonld": "{\"@context\":", "html": "<!DOCTYPE html>",
            "art30": "<!DOCTYPE html>",
        ]
        for (format, beginning) in beginnings {
            let (status, output, errors) = try await service.run(["audit", "export", "--format", format])
            #expect(
                status == 0 && output.first?.hasPrefix(beginning) == true, "\(format): \(output.prefix(1)) \(errors)")
            #expect(errors.isEmpty)
        }
    }

    @Test("a user is named by name, number or pseudonym, and records of two users never mix")
    func subjects() async throws {
        try await listen()
        let pseudonym = try #require(try await service.records().compactMap { $0.text("subject") }.first)
        let user = try #require(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
        var counts: [Int] = []
        for subject in [user, "\(geteuid())", pseudonym] {
            let answer = try await service.run(["audit", "export", "--format", "jsonl", "--user", subject])
            #expect(answer.status == 0, "\(answer.errors)")
            counts.append(answer.output.count { $0.contains("\"kind\":\"session.") })
        }
        #expect(counts == [2, 2, 2])
        let nobody = try await service.run(["audit", "export", "--format", "jsonl", "--user", "4294967000"])
        #expect(nobody.status == 0 && nobody.output.isEmpty)
    }

    @Test("since and until bound the time")
    func times() async throws {
        try await listen()
        let early = try await service.run(["audit", "export", "--format", "jsonl", "--until", "2020-01-01"])
        #expect(early.status == 0 && early.output.isEmpty)
        let all = try await service.run([
            "audit", "export", "--format", "jsonl", "--since", "2020-01-01", "--until", "2999-01-01T00:00:00Z",
        ])
        #expect(all.output.count > 5)
    }

    @Test("an existing file stays, and no export is recorded")
    func exists() async throws {
        try folder.write("mine", to: "out")
        for format in ["bundle", "csv"] {
            let answer = try await service.run(["audit", "export", "--format", format, "--output", path])
            #expect(answer.status == 74 && answer.errors.contains("already exists"), "\(answer.errors)")
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine" && left == ["out"])
        #expect(try await !service.records().contains { $0.kind == "export.made" })
    }

    @Test("at a terminal a line shows the progress, and is cleared at the end")
    func progress() async throws {
        try await listen()
        let export = try service.atTerminal(["audit", "export", "--output", path])
        #expect(await export.end() == 0)
        let screen = export.lines.joined(separator: "\n")
        #expect(screen.contains("Exporting: ") && screen.contains("100 %"))
        #expect(screen.contains("\r\u{1B}[K\(path): "))
    }

    @Test("a usage error is reported before any request to the service")
    func usage() async throws {
        let wrong = [
            ["--format", "bundle"], ["--format", "xml"], ["--format", "csv", "--json"],
            ["--format", "csv", "--client", "no such"],
            ["--format", "csv", "--since", "2026-02-02", "--until", "2026-01-01"],
            ["--format", "csv", "--since", "someday"], ["--format", "csv", "--user", ""],
        ]
        for arguments in wrong {
            #expect(try await service.run(["audit", "export"] + arguments).status == 64, "\(arguments)")
        }
    }

    @Test("another program can neither read entries nor sign nor record an export")
    func others() async throws {
        for (place, arguments) in [
            ("/v1/audit/entries", []), ("/v1/audit/checkpoint", ["-X", "POST"]),
            ("/v1/audit/exports", ["-X", "POST", "-d", "{}"]),
        ] {
            let curl = try service.curl(place, arguments)
            #expect(await curl.end() == 0)
            #expect(curl.lines.first?.contains("\"notAllowed\"") == true, "\(place): \(curl.lines)")
        }
        #expect(try await !service.records().contains { $0.kind == "export.made" })
    }
}
