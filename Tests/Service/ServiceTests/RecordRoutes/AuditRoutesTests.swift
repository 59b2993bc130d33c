import Base
import Consent
import SocketAPI
import Synchronization
import TestSupport
import Testing

@testable import RecordRoutes
@testable import Server

@Suite("Reading the log over the socket", .timeLimit(.minutes(1)))
struct AuditRoutesTests {
    @Test("a program reads a bounded span of the log for each request, and the spans together are the log")
    func spans() throws {
        let size = 3 * RecordSpan.longest + 5
        var after: UInt64?
        var read: UInt64 = 0
        while true {
            let span = RecordSpan(of: size, after: after, isBounded: true)
            #expect(span.range.lowerBound == read && span.range.count <= Int(RecordSpan.longest))
            #expect(RecordSpan(text: span.text) == span)
            read = span.range.upperBound
            guard let last = span.range.last, last + 1 < size else { break }
            after = last
        }
        #expect(read == size)
        #expect(RecordSpan.longest == 16_384)
        #expect(RecordSpan(of: size, after: nil, isBounded: false).range == 0..<size)
        #expect(
            RecordSpan(of: size, after: nil, fromEnd: true, isBounded: true).range == size - RecordSpan.longest..<size)
        #expect(RecordSpan(of: size, after: size - 3, fromEnd: true, isBounded: true).range == size - 2..<size)
        for after in [size - 1, size, .max] {
            let span = RecordSpan(of: size, after: after, isBounded: true)
            #expect(span.text == "*/\(size)" && RecordSpan(text: span.text) == span)
        }
    }

    @Test(
        "text that is not a span gives no span",
        arguments: ["", "1-0/5", "0-5/5", "0-1", "*/", "-1-2/3", "0-99999999999999999999/5"])
    func hostile(_ text: String) { #expect(RecordSpan(text: text) == nil) }

    @Test("a verification takes all processors for the service's one user alone, or for root, by the command")
    func gentle() {
        let callers: [(mode: ServiceMode, user: UInt32, isGentle: Bool)] = [
            (.advisory, 1000, false), (.enforced, 1000, true), (.enforced, 0, false),
        ]
        for (mode, user, isGentle) in callers {
            let access = AuditAccess(mode: mode)
            #expect(access.verifiesGently(asPerson: true, user: user) == isGentle)
            #expect(access.verifiesGently(asPerson: false, user: user))
        }
    }

    @Test("requests that come while the log is verified get that verification's report; a later one verifies again")
    func verification() async throws {
        let state = try await StateFixture()
        let running = RunningVerification()
        let (began, release) = (Latch<Void>(), Latch<Void>())
        let count = Mutex(0)
        let verify: @Sendable () async throws -> VerificationReport = {
            count.withLock { $0 += 1 }
            began.set()
            await release.value
            return try await state.log.verify()
        }
        let first = running.task(verify)
        await began.value
        let second = running.task { throw CancellationError() }
        release.set()
        #expect(try await first.value == second.value)
        #expect(count.withLock { $0 } == 1)
        #expect(try await running.task(verify).value.isIntact)
        #expect(count.withLock { $0 } == 2)
    }
}
