import Foundation
import RecognizerProtocol
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

/// Learns from five sentences of one reader, three of them twice: so few that they can be decoded in a test, and the same
/// ones on both sides of each comparison, so that there is something to gain.
@Suite("Learning a voice, in real processes", .serialized)
struct VoiceLearnerTests {
    /// Names of clips; those that come twice are in different parts.
    private static let order = ["0890", "0920", "0880", "0930", "0920", "0890", "0930", "0880"]

    private static func clips() throws -> [EnrolmentClip] {
        let all = try SpeechClip.librivox()
        return try order.map { name in
            let clip = try #require(all.first { $0.path.contains("-\(name)") })
            return EnrolmentClip(text: clip.words, sound: .file(try clip.bytes()))
        }
    }

    private static func learner(executable: String = PoolFixture.executable) -> VoiceLearner {
        VoiceLearner(
            executable: executable, modelFolder: RecognizerPool.Configuration.defaultModelFolder,
            logger: PoolFixture.quiet)
    }

    private static var folders: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        return names.filter { name in
            guard name.hasPrefix("voicegate-voice-") else { return false }
            // One that somebody holds is another process's, which learns at the same time. It is made before it is held.
            let descriptor = open("/dev/shm/" + name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            return descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
    }

    @Test("a transform is learnt, fits the model, changes recognition, and leaves nothing on any file system")
    func learns() async throws {
        var clips = try Self.clips()
        // Of no use: a word that nobody knows, and something else than what is said.
        clips.insert(EnrolmentClip(text: "xyzzyx plugh", sound: clips[0].sound), at: 2)
        clips.append(EnrolmentClip(text: "go forward ten meters and then turn left", sound: clips[3].sound))
        let shares = Shares()
        let result = try await Self.learner().learn(from: clips) { shares.add($0) }
        #expect(SpeakerTransform.fits(result.transform, streams: [13, 13, 13]))
        #expect(result.unused == [2, 9])
        #expect(result.gain.sentences == 8 && result.gain.words == 2 * (14 + 19 + 8 + 8))
        #expect(result.gain.errorsBefore > 0 && result.gain.errorsAfter < result.gain.errorsBefore, "\(result.gain)")
        #expect(result.seconds > 34 && result.seconds < 37)
        #expect(shares.all == shares.all.sorted() && shares.all.count > 10)
        try await eventually { Self.folders.isEmpty }

        // A session hears with it: the same clip, without and with.
        let clip = try #require(try SpeechClip.librivox().first { $0.path.contains("-0920") })
        let plain = try await heard(clip, .none)
        #expect(try await heard(clip, SpeakerAdaptation(transform: result.transform)) != plain)
        // Of another model: the session goes on without it.
        let other = Array("1\n1\n2\n1 0 0 1 0 0 1 1".utf8)
        #expect(try await heard(clip, SpeakerAdaptation(transform: other)) == plain)
    }

    private func heard(_ clip: SpeechClip, _ adaptation: SpeakerAdaptation) async throws -> [Transcript] {
        let fixture = try PoolFixture()
        let session = try await fixture.start(.file, adaptation: adaptation)
        async let events = session.rest()
        await session.accept(file: try clip.bytes().prefix(65_536).map { $0 })
        await session.accept(file: try clip.bytes().dropFirst(65_536).prefix(65_536).map { $0 })
        await session.accept(file: try clip.bytes().dropFirst(131_072).map { $0 })
        await session.finish()
        let all = await events
        await fixture.pool.shutdown()
        #expect(all.failure == nil)
        return all.finals
    }

    @Test("too few usable recordings and unreadable files are refused with the reason")
    func refused() async throws {
        let few = try Self.clips().prefix(3)
        let tooLittle = await #expect(throws: EnrolmentError.self) {
            try await Self.learner().learn(from: Array(few)) { _ in }
        }
        #expect(tooLittle?.code == .tooLittle)
        let broken = EnrolmentClip(text: "go", sound: .file(Array("no sound".utf8)))
        let badAudio = await #expect(throws: EnrolmentError.self) {
            try await Self.learner().learn(from: [broken]) { _ in }
        }
        #expect(badAudio?.code == .badAudio && badAudio?.message.contains("Recording 1") == true)
        let long = EnrolmentClip(text: "go", sound: .samples([Int16](repeating: 0, count: 61 * 16_000)))
        let tooMuch = await #expect(throws: EnrolmentError.self) {
            try await Self.learner().learn(from: [long]) { _ in }
        }
        #expect(tooMuch?.code == .tooMuch)
        try await eventually { Self.folders.isEmpty }
    }

    @Test("cancelling kills the process and its tools and removes their files")
    func cancelled() async throws {
        let clips = try Self.clips()
        let begun = Shares()
        let learner = Self.learner()
        let task = Task { try await learner.learn(from: clips) { begun.add($0) } }
        await begun.first()
        let busy = await #expect(throws: EnrolmentError.self) { try await learner.learn(from: clips) { _ in } }
        #expect(busy?.code == .busy)
        task.cancel()
        let error = await #expect(throws: EnrolmentError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await eventually { Self.folders.isEmpty }
        // It is free again.
        try learner.check()
    }

    @Test("a program that exits at once or is missing is an error")
    func otherPrograms() async throws {
        for (path, code) in [("/bin/true", EnrolmentError.Code.failed), ("/nonexistent", .failed)] {
            let error = await #expect(throws: EnrolmentError.self) {
                try await Self.learner(executable: path).learn(from: Self.clips()) { _ in }
            }
            #expect(error?.code == code)
        }
        try await eventually { Self.folders.isEmpty }
    }
}
