@testable import Authorization
import Speech
import TestSupport
import Testing

@testable import ALSACapture

@Suite("A device whose user is absent", .timeLimit(.minutes(1)))
struct AbsenceTests {
    @Test("it is closed until the user is back, and the time without it is not a loss")
    func closedAndOpened() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        bench.lease.setAbsence(.locked)
        let paused = await stream.hear { $0.events == [.paused(.locked)] }
        #expect(!paused.isEnded)
        #expect(bench.log.count(.close) == 1)
        // Another reason changes nothing.
        bench.lease.setAbsence(.asleep)
        bench.lease.setAbsence(nil)
        let heard = await stream.hear { $0.frameCount >= 1_600 }
        #expect(heard.events == [.resumed])
        #expect(bench.log.count(.open) == 2)
        let end = await stream.stop()
        #expect(end.isClosed)
        #expect(bench.log.count(.close) == 2)
    }

    @Test("one that is opened while its user is absent has no frame")
    func fromTheBeginning() async throws {
        let bench = try Bench()
        bench.lease.setAbsence(.switched)
        let stream = try await bench.open()
        let heard = await stream.hear { !$0.events.isEmpty }
        #expect(heard.events == [.paused(.switched)])
        #expect(heard.frameCount == 0)
        #expect(await stream.stop().isClosed)
    }

    @Test("while it is closed, it ends when it is stopped or its permission ends", arguments: [true, false])
    func ended(_ isStopped: Bool) async throws {
        let bench = try Bench()
        bench.lease.setAbsence(.locked)
        let stream = try await bench.open()
        _ = await stream.hear { !$0.events.isEmpty }
        if isStopped {
            #expect(await stream.stop().isClosed)
        } else {
            bench.lease.end(.revoked)
            let rest = await stream.hear()
            #expect(rest.failure?.code == .permissionEnded)
        }
    }

    @Test("one that is gone when the user is back counts as lost")
    func gone() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        bench.microphone.unpluggedFile = bench.path("unplugged")
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        bench.lease.setAbsence(.locked)
        _ = await stream.hear { $0.events == [.paused(.locked)] }
        try bench.touch("unplugged")
        bench.lease.setAbsence(nil)
        let heard = await stream.hear()
        #expect(heard.events.first == .resumed)
        #expect(heard.failure?.code == .deviceLost)
    }
}
