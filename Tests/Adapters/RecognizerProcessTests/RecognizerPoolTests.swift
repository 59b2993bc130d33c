import Foundation
import Glibc
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("Recognition by real workers", .serialized, .timeLimit(.minutes(10)))
struct RecognizerPoolTests {
    @Test("human speech becomes words: live text comes before the final one, and times are within the audio")
    func words() async throws {
        let fixture = try PoolFixture()
        let samples = try SpeechClip.goForward.samples()
        let events = try await fixture.events(hearing: [Int16](repeating: 0, count: 16_000) + samples)
        #expect(events.text == SpeechClip.goForward.words)
        #expect(!events.partials.isEmpty)
        let firstFinal = events.firstIndex { if case .final = $0 { true } else { false } }
        let lastPartial = events.lastIndex { if case .partial = $0 { true } else { false } }
        #expect(try #require(lastPartial) < #require(firstFinal))
        for partial in events.partials { #expect(partial.stablePrefix <= partial.text.utf8.count) }
        let duration = Double(samples.count + 16_000) / 16_000
        #expect(events.last == .finished(duration: duration))
        let transcript = try #require(events.finals.first)
        #expect(transcript.start > 0.5 && transcript.end <= duration)
        var earliest = transcript.start
        for word in transcript.words {
            #expect(word.start >= earliest && word.end >= word.start && word.end <= transcript.end)
            #expect((0...1).contains(word.confidence))
            earliest = word.start
        }
        // "go" begins 0.46 s into the clip.
        #expect(abs(try #require(transcript.words.first).start - 1.46) < 0.15)
        await fixture.pool.shutdown()
    }

    @Test("five sentences of a book, each in its own session, have fewer errors than with the stock program")
    func wordErrorRate() async throws {
        let fixture = try PoolFixture()
        var total = WordErrorRate(errors: 0, words: 0)
        for clip in try SpeechClip.librivox() {
            let events = try await fixture.events(hearing: clip.samples())
            total = total + WordErrorRate(reference: clip.words, hypothesis: events.text)
        }
        // pocketsphinx_continuous makes 26 errors in these 71 words.
        #expect(total.words == 71)
        #expect(total.errors < 26)
        await fixture.pool.shutdown()
    }

    @Test("the kernel ends a worker rather than the service if memory runs out; the service's own score is as before")
    func expendable() async throws {
        func score(_ process: String) throws -> Int? {
            Int(
                try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8)
                    .trimmingCharacters(in: .newlines))
        }
        let program = try SpawnedProgram(["/bin/sleep", "600"])
        defer {
            kill(program.process, SIGKILL)
            waitpid(program.process, nil, 0)
            for descriptor in [program.socket, program.log] { close(descriptor) }
        }
        let raised = try #require(try score("\(program.process)"))
        // Another start may have raised it for its moment. 1000 is the most (proc(5)), which a container may have itself.
        try await eventually { try score("self").map { min($0 + 500, 1000) } == raised }
    }

    @Test("a session does not affect the next: the same audio gives the same words and confidences")
    func freshState() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.goForward.samples()
        let first = try await fixture.events(hearing: clip).finals
        #expect(try await fixture.events(hearing: clip).finals == first)
        #expect(first.map(\.text) == [SpeechClip.goForward.words])
        await fixture.pool.shutdown()
    }

    @Test("when a worker is killed its session fails; other sessions continue, and the next one gets a warm worker")
    func killed() async throws {
        let fixture = try PoolFixture(warm: 2)
        try await fixture.pool.prewarm()
        let clip = try SpeechClip.goForward.samples()
        let doomed = try await fixture.start()
        let victim = try await fixture.serving()
        let other = try await fixture.start()
        async let doomedEvents = doomed.rest()
        async let otherEvents = other.rest()
        await doomed.hear(Array(clip[..<20_000]))
        await other.hear(Array(clip[..<20_000]))
        #expect(kill(victim, SIGKILL) == 0)
        let died = await doomedEvents
        #expect(died.failure?.code == .workerDied)
        #expect(died.finals.isEmpty)
        await doomed.hear(clip)
        await doomed.finish()
        await other.hear(Array(clip[20_000...]), at: 20_000)
        await other.finish()
        #expect(await otherEvents.text == SpeechClip.goForward.words)

        try await fixture.pool.prewarm()
        #expect(try await fixture.events(hearing: clip).text == SpeechClip.goForward.words)
        await fixture.pool.shutdown()
        // No zombie is left: no process has the number.
        #expect(kill(victim, 0) == -1 && errno == ESRCH)
    }

    @Test("after the permission's end no word is delivered, not even a queued one, and the worker has exited")
    func permissionEnds() async throws {
        let fixture = try PoolFixture()
        let lease = try PoolFixture.lease()
        let session = try await fixture.start(lease: lease)
        let worker = try await fixture.serving()
        await session.hear(try SpeechClip.goForward.samples())
        await session.finish()
        // Nothing was read yet; the worker may have told all or nothing.
        lease.end(.revoked)
        let events = await session.rest()
        #expect(events == [.failed(RecognizerPool.permissionEnded)])
        await fixture.pool.shutdown()
        #expect(kill(worker, 0) == -1 && errno == ESRCH)
    }

    @Test("a permission that has ended starts nothing")
    func permissionOver() async throws {
        let fixture = try PoolFixture()
        let lease = try PoolFixture.lease()
        lease.end(.restricted)
        await #expect(throws: RecognizerPool.permissionEnded) { _ = try await fixture.start(lease: lease) }
        await fixture.pool.shutdown()
    }

    @Test("cancelling ends the events at once and drops the audio")
    func cancel() async throws {
        let fixture = try PoolFixture()
        let session = try await fixture.start()
        await session.hear(try SpeechClip.goForward.samples())
        await session.cancel()
        #expect(await session.rest().isEmpty)
        await fixture.pool.shutdown()
    }

    @Test("a stopped worker is killed and its session fails")
    func hung() async throws {
        let fixture = try PoolFixture(answerTimeout: .seconds(2))
        let session = try await fixture.start()
        #expect(kill(try await fixture.serving(), SIGSTOP) == 0)
        await session.hear([Int16](repeating: 0, count: 64_000))
        #expect(await session.rest().failure?.code == .workerHung)
        await fixture.pool.shutdown()
    }

    @Test("a worker has its three descriptors, its socket, a pipe and its model's files, and cannot be traced")
    func descriptors() async throws {
        // Descriptors that leak where they are inherited.
        let leaky = (0..<20).map { _ in open("/dev/null", O_RDONLY) }
        defer { for descriptor in leaky { close(descriptor) } }
        let fixture = try PoolFixture(warm: 1)
        try await fixture.pool.prewarm()
        let worker = try #require(await fixture.pool.processes(serving: false).first)
        let folder = "/proc/\(worker)/fd/"
        let found = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(found.starts(with: ["0", "1", "2", "3"]))
        let model = URL(fileURLWithPath: RecognizerPool.Configuration.defaultModelFolder).resolvingSymlinksInPath()
        for descriptor in found.dropFirst(4) {
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder + descriptor)
            #expect(target.hasPrefix("pipe:") || target.hasPrefix(model.path), "\(target)")
        }
        let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"), "system calls are filtered, so that there is no network")
        let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
        #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") })
        await fixture.pool.shutdown()
    }
}
