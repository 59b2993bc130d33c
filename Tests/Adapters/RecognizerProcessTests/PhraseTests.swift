import Foundation
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

@Suite("Phrases alone, recognised by real workers", .serialized)
struct PhraseTests {
    private static let commands = [
        "turn on the light", "turn off the light", "stop", "yes", "no", "next page", "open the file", "Go back!",
        "read it again", "scroll down", "take a note", "good morning",
    ]

    private func heard(
        _ phrases: [String], _ clip: SpeechClip, input: RecognitionConfiguration.Input = .live
    ) async throws -> [RecognitionEvent] {
        try await PoolFixture.events(RecognitionConfiguration(task: .phrases(phrases), input: input), clip)
    }

    @Test("a spoken phrase is reported as the client wrote it, without partials, words and confidence")
    func said() async throws {
        let events = try await heard(Self.commands + ["Go forward, TEN meters!"], .goForward)
        #expect(events.finals.map(\.text) == ["Go forward, TEN meters!"])
        #expect(events.finals.flatMap(\.words).isEmpty)
        #expect(events.partials.isEmpty)
    }

    @Test(
        "a sentence similar to a phrase is not recognised",
        arguments: [
            "go backward ten meters", "go forward two meters", "go forward ten miles", "forward ten meters",
            "go forward", "please go forward ten meters",
        ])
    func almost(_ phrase: String) async throws {
        let events = try await heard(Self.commands + [phrase], .goForward)
        #expect(events.dropLast().isEmpty, "not even that somebody spoke")
        if case .finished = events.last {} else { Issue.record("\(events)") }
    }

    @Test("sentences of a book are not recognised as commands, live or as a file")
    func other() async throws {
        let clips = try SpeechClip.shortest(Repetitions.areMany ? 5 : 2)
        for clip in clips {
            let events = try await heard(Self.commands, clip, input: clip == clips.first ? .live : .file)
            // How far a file was read is told; not even that somebody speaks in it.
            let told = events.filter { if case .progress = $0 { false } else { true } }
            #expect(told.count == 1, "\(events)")
        }
    }

    @Test("a sentence of a book is recognised if it is a phrase")
    func sentence() async throws {
        let clip = try #require(try SpeechClip.librivox().first { $0.words.hasPrefix("he was not") })
        let events = try await heard(Self.commands + [clip.words], clip, input: .file)
        #expect(events.finals.map(\.text) == [clip.words])
    }

    @Test(
        "unusable phrases are refused before a worker gets them",
        arguments: [
            ["say grumblefrotz now"], [""], ["..."], ["go 10 meters"], ["a; <sil>"], ["[NOISE]"], ["read(2)"],
            [String(repeating: "a", count: 201)], Array(repeating: "go", count: 201), [],
        ])
    func refused(_ phrases: [String]) async throws {
        let fixture = try PoolFixture(executable: "/usr/bin/false")
        let error = await #expect(throws: RecognitionError.self) {
            _ = try await fixture.start(task: .phrases(phrases))
        }
        #expect(error?.code == .phraseRefused)
        if phrases.first?.contains("grumble") == true { #expect(error?.message.contains("grumblefrotz") == true) }
        await fixture.pool.shutdown()
    }
}
