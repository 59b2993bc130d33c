import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Recognised words on the command line", .timeLimit(.minutes(3)))
struct WordsCommandTests {
    private let folder: TemporaryFolder
    private let service: ServiceUnderTest
    private let file = Programs.librivox("0890")

    init() async throws {
        folder = try TemporaryFolder()
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
    }

    @Test("a file's new words are found by context phrases, and other readings come when they are asked for")
    func transcribe() async throws {
        let words = try folder.write(Data("Rather ColdHearted, and rather selfish.".utf8), to: "words.txt")
        let told = try await service.run(["transcribe", file, "--words", words, "--json", "--alternatives", "2"])
        #expect(told.status == 0, "\(told.errors)")
        let finals = told.output.filter { $0.contains(#""type":"final""#) }
        #expect(finals.joined().contains("coldhearted"), "\(told.output)")
        #expect(finals.contains { $0.contains(#""alternatives":[""#) }, "\(finals)")
        let untold = try await service.run(["transcribe", file, "--json"])
        #expect(!untold.output.joined().contains("coldhearted"))
        #expect(!untold.output.joined().contains("alternatives"))
    }

    @Test("with a grammar only the sentences that it allows are written")
    func grammar() async throws {
        let grammar = try folder.write(
            Data("#JSGF V1.0; grammar moves; public <move> = go (forward | back) ten meters;".utf8), to: "moves.jsgf")
        let moves = try await service.run([
            "dictate", "--grammar", grammar, "--task", "command", "--stop-after-silence", "1",
        ])
        #expect(moves.status == 0, "\(moves.errors)")
        #expect(moves.output == ["go forward ten meters"])
        let book = try await service.run(["transcribe", Programs.librivox("0880"), "--grammar", grammar])
        #expect(book.status == 0, "\(book.errors)")
        #expect(book.output.isEmpty)
    }

    @Test("a grammar that cannot be used is refused with the reason before anything is listened to")
    func badGrammar() async throws {
        let grammar = try folder.write(
            Data("#JSGF V1.0; grammar a; public <a> = <b>;".utf8), to: "bad.jsgf")
        for arguments in [["dictate"], ["transcribe", file]] {
            let (status, output, errors) = try await service.run(arguments + ["--grammar", grammar])
            #expect(status != 0)
            #expect(output.isEmpty)
            #expect(errors.contains("no rule <b>"), "\(errors)")
        }
    }

    @Test(
        "a language that no engine recognises is 64 before anybody is asked, and says what is installed; one that is here is recognised"
    )
    func language() async throws {
        try service.registerCurl()
        for (path, body) in [
            ("dictation", ["-d", #"{"language":"ja"}"#]),
            ("audio/transcriptions?language=ja", ["--data-binary", "@" + file]),
            ("authorization/requests", ["-d", #"{"language":"ja"}"#]),
        ] {
            let call = try service.curl("/v1/" + path, body)
            await call.end()
            #expect(call.lines.joined().contains("“ja”. Installed: en-US (PocketSphinx)"), "\(call.lines)")
        }
        for arguments in [["dictate"], ["transcribe", file]] {
            let (status, output, errors) = try await service.run(arguments + ["--language", "ja"])
            #expect(status == 64, "\(errors)")
            #expect(output.isEmpty)
            #expect(
                errors.contains("“ja”. Installed: en-US (PocketSphinx). To install another: voicegate engine list"),
                "\(errors)")
            #expect(try await service.run(arguments + ["--language", "English"]).status == 64)
        }
        #expect(
            try await !service.records().contains { record in
                ["request.", "notice.", "decision.", "session."].contains { record.kind.hasPrefix($0) }
            })
        let spoken = try await service.run([
            "dictate", "--language", "en-GB", "--task", "command", "--stop-after-silence", "1",
        ])
        #expect(spoken.output == ["go forward ten meters"], "\(spoken.errors)")
    }

    @Test("words that cannot be read are 66, and values out of bounds are 64")
    func unreadable() async throws {
        #expect(try await service.run(["dictate", "--words", folder.path + "/nothing"]).status == 66)
        #expect(try await service.run(["transcribe", file, "--grammar", "/etc"]).status == 66)
        #expect(try await service.run(["dictate", "--alternatives", "11", "--json"]).status == 64)
        // Plain text cannot show them.
        #expect(try await service.run(["dictate", "--alternatives", "2"]).status == 64)
        #expect(try await service.run(["transcribe", "a.wav", "--alternatives", "2"]).status == 64)
        let long = String(repeating: "a", count: 201)
        #expect(try await service.run(["transcribe", file, "--context-phrase", long]).status == 64)
    }
}
