import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Bad input is an error, and the service keeps serving", .timeLimit(.minutes(4)))
struct BadInputTests {
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, model: .english)
        try service.registerCurl()
    }

    func status(_ path: String, _ arguments: [String]) async throws -> (code: String, body: String) {
        let request = try service.curl(path, arguments + ["-w", "\n%{http_code}"])
        await request.end()
        return (request.lines.last ?? "", request.lines.dropLast().joined())
    }

    func expectServing() async throws {
        #expect(try await status("/v1/health", []).code == "200")
    }

    @Test("manifests that cannot be used are reported, each with its reason, and the good one still counts")
    func manifests() async throws {
        let bad = [
            "empty": "", "text": "no plist", "nokeys": "<plist version=\"1.0\"><dict/></plist>",
            "array": "<plist version=\"1.0\"><array/></plist>",
        ]
        for (name, text) in bad { try service.folder.write(text, to: "clients/\(name)/Info.plist") }
        let huge = service.clientsDirectory + "/huge.plist"
        _ = FileManager.default.createFile(atPath: huge, contents: nil)
        try FileHandle(forWritingTo: URL(fileURLWithPath: huge)).truncate(atOffset: 100 * 1_048_576)
        mkfifo(service.clientsDirectory + "/fifo.plist", 0o600)
        let (code, body) = try await status("/v1/authorization", [])
        #expect(code == "200")
        #expect(body.contains(#""client":"org.example.curl""#))
        for name in bad.keys.map({ $0 + "/Info.plist" }) + ["huge.plist", "fifo.plist"] { #expect(body.contains(name)) }
    }

    @Test("bodies that are not JSON, of the wrong types, out of range, or too large")
    func bodies() async throws {
        #expect(try await status("/v1/dictation", ["-d", "{"]).code == "400")
        #expect(try await status("/v1/dictation", ["-d", "[]"]).code == "400")
        #expect(try await status("/v1/dictation", ["-d", #"{"device":7}"#]).code == "400")
        #expect(try await status("/v1/dictation", ["-d", #"{"endSilence":90}"#]).code == "422")
        #expect(try await status("/v1/dictation", ["-d", #"{"stopAfterSilence":-1}"#]).code == "422")
        let big = try service.folder.write(#"{"device":"\#(String(repeating: "x", count: 1_200_000))"}"#, to: "big")
        #expect(try await status("/v1/dictation", ["-d", "@\(big)"]).code == "413")
        #expect(try await status("/v1/authorization/requests", ["-d", #"{"resource":"camera"}"#]).code == "422")
        #expect(try await status("/v1/nothing", []).code == "404")
        try await expectServing()
    }

    @Test(
        "devices that are not there or must not be named",
        arguments: [
            ("nodevice", "503"), ("file:/tmp/x", "422"), ("hw:CARD=Nowhere", "503"), ("a\nb", "422"),
            (#"plug:{ type file file "|id" slave.pcm null }"#, "422"), (String(repeating: "a", count: 5_000), "422"),
        ])
    func devices(_ name: String, _ expected: String) async throws {
        let body = try JSONEncoder().encode(["device": name])
        let path = try service.folder.write(body, to: "body")
        let (code, text) = try await status("/v1/dictation", ["-d", "@\(path)"])
        #expect(code == expected, "\(name.prefix(40)): \(text)")
        try await expectServing()
    }

    @Test("invalid, lying or empty sound files are refused; odd rates, widths and channels are read")
    func soundFiles() async throws {
        let speech = try HumanSpeech.samples(Programs.goForward)
        let wav = HumanSpeech.wav(speech, sampleRate: 16_000, channels: 1)
        var lying = wav
        lying.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0x7F])
        var absurd = wav
        absurd.replaceSubrange(22..<24, with: [0xFF, 0xFF])
        let tripled = speech.flatMap { [$0, $0, $0, $0, $0, $0] }
        let seven = speech.flatMap { [$0, $0, $0, $0, $0, $0, $0] }
        let cases: [(String, Data, String)] = [
            ("text", Data("this is not a sound file at all, only words".utf8), "415"),
            ("nothing", Data(), "415"),
            ("header only", wav.prefix(44), "415"),
            ("half a header", wav.prefix(20), "415"),
            ("zero frames", HumanSpeech.wav([], sampleRate: 16_000, channels: 1), "415"),
            ("65535 channels", absurd, "415"),
            ("lying length", lying, "200"),
            ("96 kHz", HumanSpeech.wav(tripled, sampleRate: 96_000, channels: 1), "200"),
            ("7 channels", HumanSpeech.wav(seven, sampleRate: 16_000, channels: 7), "200"),
        ]
        for (name, data, expected) in cases {
            let path = try service.folder.write(data, to: "sound")
            let (code, body) = try await status("/v1/audio/transcriptions", ["--data-binary", "@\(path)"])
            #expect(code == expected, "\(name): \(body)")
            if expected == "200" { #expect(body.contains("forward"), "\(name): \(body)") }
            if expected == "415" { #expect(body.contains(#""code":"badAudio""#), "\(name): \(body)") }
        }
        try await expectServing()
    }

    @Test("a file transcribed over the socket is recorded without a device")
    func transcription() async throws {
        let (code, body) = try await status(
            "/v1/audio/transcriptions", ["--data-binary", "@\(Programs.librivox("0880"))"])
        #expect(code == "200")
        #expect(body.contains("young man"), "\(body)")
        let started = try #require(try await service.records().last { $0.kind == "session.started" })
        #expect(started.fields["device"] is NSNull)
        #expect((started.fields["grants"] as? [String: Any])?.keys.sorted() == ["speechRecognition"])
    }

    @Test("a model that is not there is an error of the session, not of the service")
    func missingModel() async throws {
        let other = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, options: ["--model", "/nonexistent/model"])
        try other.registerCurl()
        let dictation = try other.curl("/v1/dictation", ["-d", "{}", "-w", "\n%{http_code}"])
        await dictation.end()
        #expect(dictation.lines.last == "503")
        #expect(dictation.lines.joined().contains("/nonexistent/model"), "\(dictation.lines)")
        let health = try other.curl("/v1/health")
        await health.end()
        #expect(!health.lines.isEmpty)
    }
}
