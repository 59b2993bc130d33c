import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate transcribe", .timeLimit(.minutes(3)))
struct TranscribeCommandTests {
    let service: ServiceUnderTest
    let file = Programs.librivox("0880")

    init() async throws { service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll) }

    private func transcribe(_ arguments: [String]) async throws -> (status: Int32, output: [String], errors: String) {
        try await service.run(["transcribe"] + arguments)
    }

    @Test("text is a line for each utterance and nothing else; only speech recognition is asked for")
    func text() async throws {
        let (status, output, errors) = try await transcribe([file])
        #expect(status == 0, "\(errors)")
        #expect(output.joined(separator: " ").contains("young man"), "\(output)")
        #expect(errors.isEmpty)
        let asked = try await service.records().filter { $0.kind == "notice.shown" }.map { $0.text("resource") }
        #expect(asked == ["speechRecognition"])
    }

    @Test("--format json is one object with the words and their times")
    func json() async throws {
        let (status, output, _) = try await transcribe([file, "--format", "json"])
        #expect(status == 0)
        #expect(output.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data((output.first ?? "").utf8)) as? [String: Any]
        #expect(object?["file"] as? String == file)
        #expect((object?["text"] as? String)?.contains("young man") == true, "\(output)")
        let segments = try #require(object?["segments"] as? [[String: Any]])
        #expect(segments.allSatisfy { $0["start"] is Double && $0["end"] is Double })
    }

    @Test("subtitles have numbers and times as their format writes them", arguments: ["srt", "vtt"])
    func subtitles(_ format: String) async throws {
        let (status, output, _) = try await transcribe([file, "--format", format])
        #expect(status == 0)
        #expect(output.first == (format == "srt" ? "1" : "WEBVTT"))
        let point = format == "srt" ? "," : "\\."
        let clock = #"\d\d:\d\d:\d\d"# + point + #"\d\d\d"#
        let times = try Regex("^\(clock) --> \(clock)$")
        #expect(output.contains { $0.wholeMatch(of: times) != nil }, "\(output)")
        #expect(output.joined(separator: " ").contains("young man"), "\(output)")
    }

    @Test("- is standard input")
    func standardInput() async throws {
        let program = try RunningProgram(
            [
                "/bin/sh", "-c", #"cat "$2" | "$0" transcribe - --socket "$1""#, Programs.commandLine, service.socket,
                file,
            ], environment: service.environment)
        #expect(await program.end() == 0, "\(program.errorText)")
        #expect(program.lines.joined(separator: " ").contains("young man"))
    }

    @Test("a file that is not there is 66 and named")
    func missing() async throws {
        let (status, output, errors) = try await transcribe(["/nonexistent/speech.wav"])
        #expect(status == 66)
        #expect(output.isEmpty)
        #expect(errors.contains("/nonexistent/speech.wav cannot be read"), "\(errors)")
    }

    @Test("a file that holds no audio is 65 and named")
    func noAudio() async throws {
        let path = try service.folder.write("only words, no sound at all, and more of them", to: "words.wav")
        let (status, output, errors) = try await transcribe([path])
        #expect(status == 65)
        #expect(output.isEmpty)
        #expect(errors.contains(path), "\(errors)")
    }

    @Test("a bad file in the middle is named, and the good ones around it come out")
    func several() async throws {
        let bad = try service.folder.write("only words, no sound at all, and more of them", to: "words.wav")
        let (status, output, errors) = try await transcribe([
            file, bad, "/nonexistent/speech.wav", Programs.librivox("0930"), "--format", "json",
        ])
        #expect(status == 65)
        #expect(output.count == 2)
        #expect(output.first?.contains("young man") == true, "\(output)")
        #expect(output.last?.contains("amiable") == true, "\(output)")
        #expect(errors.contains(bad) && errors.contains("/nonexistent/speech.wav"), "\(errors)")
    }
}
