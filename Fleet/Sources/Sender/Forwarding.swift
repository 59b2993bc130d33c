import AsyncHTTPClient
import Consent
import FleetModel
import Foundation
import Logging
import ServiceLifecycle

/// Passes the log on: records that the collector lacks, whenever the log has grown, and a report at each interval.
///
/// Keeps no cursor: the collector knows what it has. Each record is there once, by its position, however often a request is
/// repeated. One request at a time: a report whose checkpoint was read before a larger one was accepted would look like a log
/// that was put back.
actor Forwarding: Service {
    /// Answers in a row that ask for the same package again.
    private static let mostRepeats = 3

    /// What is tried again after a failure, the one whether or not the other fails.
    private final class Attempts {
        var backOff: BackOff
        var notBefore = ContinuousClock.now
        var hasFailed = false

        init(_ backOff: BackOff) { self.backOff = backOff }

        var isDue: Bool { notBefore <= .now }
    }

    private let service: ServiceConnection
    private let collector: CollectorConnection
    private let logger: Logger
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var interval: Duration
    private let backOff: BackOff
    private let forwarding: Attempts
    private let reporting: Attempts
    /// Records of the newest checkpoint of the service.
    private var signed: UInt64 = 0
    /// Records of the checkpoint that the collector accepted last, as far as known.
    private var witnessed: UInt64 = 0
    /// The first record that the collector has not, as far as known.
    private var next: UInt64?
    private var counter: Int64 = 0

    init(
        service: ServiceConnection, collector: CollectorConnection, interval: Duration, backOff: BackOff,
        logger: Logger
    ) {
        (self.service, self.collector, self.logger) = (service, collector, logger)
        (self.interval, self.backOff) = (interval, backOff)
        (forwarding, reporting) = (Attempts(backOff), Attempts(backOff))
    }

    nonisolated func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.followGrowth() }
                group.addTask { for await _ in self.wakes { await self.work() } }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Until it is cancelled: a service that stopped comes back.
    private func followGrowth() async {
        var backOff = backOff
        while !Task.isCancelled {
            do {
                for try await size in try await service.growth() {
                    backOff.reset()
                    // A log that was put back: its checkpoint is compared with the collector's again.
                    if size < signed { witnessed = 0 }
                    signed = size
                    wake.yield()
                }
                throw SenderError(.unavailable, "The service ended the connection.")
            } catch {
                await pause(&backOff, after: SenderError(error), of: "the service")
            }
        }
    }

    private func work() async {
        let before = witnessed
        await attempt(forwarding, "the records") {
            while witnessed < signed || next != witnessed { try await forward() }
        }
        // The records may have named the key with which a report was refused.
        if witnessed > before, reporting.hasFailed { reporting.notBefore = .now }
        await reportIfDue()
    }

    private func reportIfDue() async {
        await attempt(reporting, "the report") {
            try await report()
            reporting.notBefore = .now + interval
            wakeUp(after: interval)
        }
    }

    private func attempt(
        _ attempts: Attempts, _ what: String, _ body: () async throws -> Void
    ) async {
        guard attempts.isDue else { return }
        do {
            try await body()
            attempts.backOff.reset()
            attempts.hasFailed = false
        } catch {
            guard !Task.isCancelled else { return }
            let error = SenderError(error)
            let pause = attempts.backOff.pause(after: error)
            note(error, what, pause)
            attempts.notBefore = .now + pause
            attempts.hasFailed = true
            wakeUp(after: pause)
        }
    }

    private nonisolated func wakeUp(after pause: Duration) {
        Task { [wake] in
            try? await Task.sleep(for: pause)
            wake.yield()
        }
    }

    private func pause(_ backOff: inout BackOff, after error: SenderError, of what: String) async {
        guard !Task.isCancelled else { return }
        let pause = backOff.pause(after: error)
        note(error, what, pause)
        try? await Task.sleep(for: pause)
    }

    private func note(_ error: SenderError, _ what: String, _ pause: Duration) {
        logger.log(
            level: error.code == .unavailable ? .notice : .error, "\(what): \(error.message)",
            metadata: ["again in": "\(pause)"])
    }

    /// One checkpoint and all its records.
    private func forward() async throws {
        let declared = try await service.collector()
        try Credential.require(collector.url, declared.url)
        try await witness(origin: declared.origin)
        var info = MirrorInfo(size: witnessed, next: next ?? witnessed)
        // The record farthest on that was asked for: a collector that goes back and forth gets no farther.
        var (farthest, repeats) = (nil as UInt64?, 0)
        while true {
            let upload = try await service.packages(info)
            guard let wanted = try await collector.add(.stream(upload, length: .unknown)) else { break }
            guard wanted.next <= wanted.size, wanted.size <= witnessed else {
                throw SenderError(
                    .inconsistent,
                    "The collector has \(max(wanted.next, wanted.size)) records of this log, which has \(witnessed).")
            }
            // A package or more was stored, or all.
            let isFarther = farthest.map {
                wanted.next / EntryPackage.alignment > $0 / EntryPackage.alignment
                    || wanted.next > $0 && wanted.next == wanted.size
            }
            repeats = isFarther == true ? 0 : repeats + 1
            farthest = max(farthest ?? 0, wanted.next)
            guard repeats <= Self.mostRepeats else {
                throw SenderError(.protocolViolated, "The collector asks for record \(wanted.next) again and again.")
            }
            info = wanted
            next = wanted.next
            // A month of records takes longer than an interval.
            await reportIfDue()
        }
        next = info.size
        guard info.size == witnessed else {
            throw SenderError(
                .protocolViolated,
                "The collector has a checkpoint of \(info.size) records, after it accepted one of \(witnessed).")
        }
    }

    /// Gives the collector the newest checkpoint; if it does not know the key, first the one that both keys signed.
    private func witness(origin: String) async throws {
        var request = try await service.checkpoint(from: witnessed)
        var isRotation = false
        for _ in 0..<Self.mostRepeats {
            switch try await collector.witness(request) {
            case .accepted:
                witnessed = request.proof.to
                return
            case .otherSize(let size):
                // The service has no proof from more records than it has.
                guard size <= request.proof.to || isRotation else {
                    throw SenderError(
                        .inconsistent,
                        "The collector has a checkpoint of \(size) records, and this log has \(request.proof.to). It was put back to an earlier state."
                    )
                }
                request = try await service.checkpoint(from: size, rotation: isRotation)
            case .unknownKey where !isRotation:
                isRotation = true
                let size = try await collector.position(origin: origin).size
                request = try await service.checkpoint(from: size, rotation: true)
            case .unknownKey:
                throw SenderError(
                    .refused,
                    "The collector does not know the log's key. Its administrator accepts it: voicegate-collector keys accept"
                )
            }
        }
        throw SenderError(.unavailable, "The collector's checkpoint changes while this one is sent.")
    }

    private func report() async throws {
        let declared = try await service.collector()
        try Credential.require(collector.url, declared.url)
        for _ in 0..<Self.mostRepeats {
            counter += 1
            // Signed after the last checkpoint that was accepted: it has no fewer records.
            let report = try await service.report(counter: counter)
            let request = ReportRequest(report: report, interval: Int(interval.components.seconds))
            switch try await collector.report(request) {
            case .accepted(let seconds):
                if let seconds { interval = .seconds(seconds) }
                return
            case .counted(let last): counter = last
            }
        }
        throw SenderError(.unavailable, "Another sender reports for this host.")
    }
}
