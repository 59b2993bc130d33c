import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("PyPI's openai client, unchanged, over the Unix socket", .timeLimit(.minutes(5)))
struct OpenAIClientTests {
    struct Failed: Error { let errors: String }

    struct Reply: Decodable {
        struct Failure: Decodable, Equatable {
            var name: String?
            var status: Int?
            var code: String?
            var param: String?
            var type: String?
            var message: String?
            var reason: String?
            var requests: Int?

            enum CodingKeys: String, CodingKey {
                case status, code, param, type, message, reason, requests
                case name = "class"
            }
        }

        struct Verbose: Decodable {
            struct Segment: Decodable {
                let id: Int
                let start: Double
                let end: Double
                let text: String
                let avg_logprob: Double
                let tokens: [Int]
            }

            struct Word: Decodable {
                let word: String
                let start: Double
                let end: Double
            }

            let language: String
            let duration: Double
            let text: String
            let segments: [Segment]?
            let words: [Word]?
        }

        struct Event: Decodable, Equatable {
            let type: String
            var delta: String?
            var text: String?
        }

        struct Model: Decodable {
            let id: String
            let object: String
        }

        let refused: Failure
        var json: String?
        var text: String?
        var srt: String?
        var vtt: String?
        var segments: Verbose?
        var both: Verbose?
        var stream: [Event]?
        var others: [String]?
        var models: [Model]?
        var alias: Model?
    }

    /// Runs the calls as a client with its own manifest.
    private func calls(_ service: ServiceUnderTest, _ files: [String]) async throws -> (Reply, [String: Any]) {
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/openai_calls.py")
        let script = try service.registerScript(String(contentsOf: tool, encoding: .utf8), name: "calls")
        let program = try RunningProgram(
            [try await PythonTools.interpreter(), script, service.socket] + files, environment: service.environment)
        guard await program.end() == 0, let line = program.lines.last else {
            throw Failed(errors: program.errorText)
        }
        let all = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        return (try JSONDecoder().decode(Reply.self, from: Data(line.utf8)), all)
    }

    private func failure(_ name: String, in all: [String: Any]) throws -> Reply.Failure {
        let data = try JSONSerialization.data(withJSONObject: try #require(all[name], "\(name)"))
        return try JSONDecoder().decode(Reply.Failure.self, from: data)
    }

    @Test("transcribes human speech in each format, streams it, and reports errors as OpenAI does")
    func transcribes() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, model: .english)
        let speech = try HumanSpeech.samples(Programs.goForward)
        let wav = try service.folder.write(
            HumanSpeech.wav(speech, sampleRate: 16_000, channels: 1), to: "sounds/speech.wav")
        // libsndfile 1.2.0 writes noise into MP3 of two channels; it reads them well.
        let others = try [(SoundWriter.Format.flac, 2), (.vorbis, 2), (.opus, 2), (.mp3, 1)].map { format, channels in
            try service.folder.write(
                Data(SoundWriter.bytes(of: speech, as: format, channels: channels)), to: "sounds/\(format)")
        }
        let (reply, all) = try await calls(service, [wav] + others)
        #expect(reply.refused == Reply.Failure())
        let text = try #require(reply.json)
        #expect(text.hasPrefix("go forward ten"), "\(text)")
        #expect(reply.text == text + "\n")
        #expect(reply.others?.count == 4)
        for other in reply.others ?? [] { #expect(other.contains("go forward"), "\(other)") }

        let segments = try #require(reply.segments)
        #expect(segments.text == text)
        #expect(segments.language == "english")
        #expect(abs(segments.duration - Double(speech.count) / 16_000) < 0.01, "\(segments.duration)")
        #expect(segments.words == nil)
        #expect(segments.segments?.map(\.id) == [0])
        let segment = try #require(segments.segments?.first)
        #expect(segment.text == text)
        #expect(segment.start >= 0 && segment.start < segment.end && segment.end <= segments.duration)
        #expect(segment.avg_logprob <= 0)
        #expect(segment.tokens.isEmpty)

        let both = try #require(reply.both)
        #expect(both.segments?.count == 1)
        #expect(both.words?.map(\.word).joined(separator: " ") == both.text)
        #expect(both.text == "go forward ten meters")

        #expect(
            reply.stream == [
                Reply.Event(type: "transcript.text.delta", delta: text),
                Reply.Event(type: "transcript.text.done", text: text),
            ])
        try await expectCaptions(reply, text, service)
        #expect(all["others' fields"] as? String == text)
        #expect(all["empty fields"] as? String == text)
        #expect(all["lists"] as? [[String]] == [["words"], ["segments", "words"], ["segments", "words"]])
        #expect(
            all["misnamed"] as? [String]
                == ["audio_file", "temperature"].map {
                    "The field “\($0)” is a file. Send the sound in the field “file”, and no other file."
                })
        #expect(reply.models?.map(\.id) == ["en-us"])
        #expect(reply.alias?.id == "en-us" && reply.alias?.object == "model")

        for (name, status, code, param) in [
            ("no sound", 400, "invalid_file", "file"), ("language", 400, "invalid_value", "language"),
            ("model", 404, "model_not_found", "model"), ("no model", 404, "model_not_found", "model"),
            ("granularity", 400, "invalid_value", "timestamp_granularities[]"),
            ("stream in srt", 400, "invalid_value", "response_format"),
            ("no sound, streamed", 400, "invalid_file", "file"),
        ] {
            let failure = try failure(name, in: all)
            #expect(failure.status == status && failure.code == code && failure.param == param, "\(name): \(failure)")
            #expect(failure.requests == 1, "\(name): \(failure)")
        }
        #expect(try failure("language", in: all).message?.contains("Installed: en-US (PocketSphinx)") == true)
    }

    private func expectCaptions(_ reply: Reply, _ text: String, _ service: ServiceUnderTest) async throws {
        for (format, captions) in [("srt", reply.srt), ("vtt", reply.vtt)] {
            let path = try service.folder.write(try #require(captions), to: "captions.\(format)")
            let found = try await PythonTools.run("check-captions", [format, path])
            #expect(found.count == 1, "\(found)")
            #expect(found.first?.contains(text) == true, "\(found)")
        }
    }

    @Test("a refusal is PermissionDeniedError with its code, tried once, and nothing was listened to")
    func refused() async throws {
        let service = try await ServiceUnderTest(
            answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        let wav = Programs.librivox("0880")
        let (reply, _) = try await calls(service, [wav])
        #expect(reply.refused.name == "PermissionDeniedError")
        #expect(reply.refused.status == 403)
        #expect(reply.refused.code == "permission_denied")
        #expect(reply.refused.type == "permission_error")
        #expect(reply.refused.reason == "denied")
        #expect(reply.refused.requests == 1)
        #expect(reply.json == nil)
        #expect(try await !service.records().contains { $0.kind == "session.started" })
        #expect(service.recognizers.count <= 2)
    }

    @Test("the examples write the text, the stream, subtitles and words, and say why they were refused")
    func examples() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, model: .english)
        let examples = Checkout.root.appending(path: "Documentation/Examples/openai")
        let environment = service.environment.merging(["VOICEGATE_SOCKET": service.socket]) { _, new in new }
        let wav = Programs.librivox("0880")
        try service.registerCurl()
        let subtitles = try RunningProgram(
            ["/usr/bin/bash", examples.path + "/transcribe.sh", wav], environment: environment)
        #expect(await subtitles.end() == 0, "\(subtitles.lines) \(subtitles.errorText)")
        #expect(subtitles.lines.first == "1")
        #expect(subtitles.lines.joined(separator: " ").contains("young man"), "\(subtitles.lines)")

        for (name, arguments) in [
            ("transcribe", []), ("transcribe", ["--stream"]), ("transcribe-httpx2", []),
        ] as [(String, [String])] {
            let code = try String(contentsOf: examples.appending(path: name + ".py"), encoding: .utf8)
            let script = try service.registerScript(code, name: name)
            let program = try RunningProgram(
                [try await PythonTools.interpreter(), script] + arguments + [wav], environment: environment)
            #expect(await program.end() == 0, "\(program.errorText)")
            let words = program.lines.joined(separator: " ").split(separator: " ").map(String.init)
            #expect(words.contains("young") && words.contains("man"), "\(name): \(program.lines)")
        }

        // A file that is refused, or is not there, is a sentence.
        let code = try String(contentsOf: examples.appending(path: "transcribe.py"), encoding: .utf8)
        let patient = try service.registerScript(code, name: "transcribe")
        for (file, status) in [("/etc/hostname", Int32(65)), ("/nonexistent.wav", 66)] {
            let program = try RunningProgram(
                [try await PythonTools.interpreter(), patient, file], environment: environment)
            #expect(await program.end() == status, "\(program.errorText)")
            #expect(program.errorText.split(separator: "\n").count == 1, "\(program.errorText)")
        }

        let strict = try await ServiceUnderTest(answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        let script = try strict.registerScript(code, name: "transcribe")
        let program = try RunningProgram(
            [try await PythonTools.interpreter(), script, wav],
            environment: environment.merging(["VOICEGATE_SOCKET": strict.socket]) { _, new in new })
        #expect(await program.end() == 77)
        #expect(program.lines.isEmpty)
        #expect(program.errorText.contains("voicegate settings"), "\(program.errorText)")
    }
}
