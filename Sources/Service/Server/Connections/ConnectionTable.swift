import Authorization
import Base
import Foundation
import LinuxSystem
import Logging
import NIOCore
import Synchronization

/// Counts the open connections of one socket by user, by process and by program, and keeps a few for revoking.
package final class ConnectionTable: Sendable {
    package enum Place {
        case counted
        /// For one short request; other requests get the error.
        case reserved(seat: Int, RouteError)
        /// Close the connection; the error is for its client.
        case refused(RouteError)
    }

    fileprivate struct State {
        var arrived: QuotaCounts<Int32>
        var ofPrograms: QuotaCounts<ProcessIdentity>
        var reserve: Reserve
        /// Of the reserved connections.
        var channels: [Int: any Channel] = [:]
        var reports = Throttle<UInt32>()
    }

    /// Seconds between two reports of refused connections of one user.
    private static let reportInterval = 60.0

    private let state: Mutex<State>
    private let logger: Logger

    init(_ quotas: ServiceQuotas, logger: Logger) {
        state = Mutex(
            State(
                arrived: QuotaCounts(quotas.connections), ofPrograms: QuotaCounts(quotas.connectionsOfPrograms),
                reserve: Reserve(total: quotas.reservedConnections)))
        self.logger = logger
    }

    /// Counts a new connection until it is closed.
    func enter(_ channel: any Channel, of peer: PeerCredentials) -> Place {
        let (place, replaced) = state.withLock { $0.enter(channel, of: peer) }
        if let replaced { ReservedRequest.giveWay(replaced) }
        switch place {
        case .counted:
            channel.closeFuture.whenComplete { [weak self] _ in
                self?.state.withLock { $0.arrived.giveBack(peer.processIdentifier, of: peer.user) }
            }
        case .reserved(let seat, _):
            channel.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.leave(seat) } }
        case .refused(let error):
            report(error, peer)
        }
        return place
    }

    /// The seat's request is complete, so no newcomer replaces it.
    func serve(_ seat: Int) { state.withLock { $0.reserve.serve(seat) } }

    /// Counts a connection whose program is known, until `dismiss`.
    ///
    /// - Returns: the error if it has too many, and it is not counted then.
    func admit(_ program: ProcessIdentity, of caller: Caller) -> RouteError? {
        guard let refusal = state.withLock({ $0.ofPrograms.take(program, of: caller.user) }) else { return nil }
        let error = RouteError(refusal, purpose: " for programs")
        report(
            error, PeerCredentials(processIdentifier: caller.process.processIdentifier, user: caller.user))
        return error
    }

    func dismiss(_ program: ProcessIdentity, of user: UInt32) {
        state.withLock { $0.ofPrograms.giveBack(program, of: user) }
    }

    /// Logs a refusal, unless one of the same user was logged a short time ago.
    package func report(_ error: any Error, _ peer: PeerCredentials) {
        let repeated = state.withLock { $0.reports.reports(peer.user, at: Date(), interval: Self.reportInterval) }
        guard let repeated else { return }
        logger.warning(
            "connections are refused",
            metadata: [
                "user": "\(peer.user)", "process": "\(peer.processIdentifier)", "reason": "\(error)",
                "unreported": "\(repeated)",
            ])
    }
}

extension ConnectionTable.State {
    fileprivate mutating func enter(
        _ channel: any Channel, of peer: PeerCredentials
    ) -> (ConnectionTable.Place, replaced: (any Channel)?) {
        guard let refusal = arrived.take(peer.processIdentifier, of: peer.user) else { return (.counted, nil) }
        let error = RouteError(refusal)
        guard let (seat, replaced) = reserve.take(peer) else { return (.refused(error), nil) }
        channels[seat] = channel
        return (.reserved(seat: seat, error), replaced.flatMap { channels.removeValue(forKey: $0) })
    }

    fileprivate mutating func leave(_ seat: Int) {
        reserve.leave(seat)
        channels[seat] = nil
    }
}

/// The connections that are kept for requests that revoke. A silent one gives way to a newcomer, so that they cannot be held.
struct Reserve: Sendable {
    private struct Seat {
        let number: Int
        let peer: PeerCredentials
        /// Its request is complete.
        var isServed = false
    }

    /// Of one process: the next one may come before the close of the last one was noticed.
    static let mostOfProcess = 2

    let total: Int
    /// Oldest first.
    private var seats: [Seat] = []
    private var last = 0

    init(total: Int) { self.total = total }

    /// - Returns: the new seat's number, and that of the one that has lost its seat; `nil` if none is free and all are served.
    mutating func take(_ peer: PeerCredentials) -> (seat: Int, replaced: Int?)? {
        var replaced: Int?
        let own = seats.filter { $0.peer == peer }
        if own.count >= Self.mostOfProcess {
            guard let silent = own.first(where: { !$0.isServed }) else { return nil }
            replaced = silent.number
        } else if seats.count >= total {
            // The user with the most is the first to lose one.
            let ofUsers = Dictionary(seats.map { ($0.peer.user, 1) }, uniquingKeysWith: +)
            let silent = seats.filter { !$0.isServed }
            guard let most = silent.compactMap({ ofUsers[$0.peer.user] }).max(),
                let loser = silent.first(where: { ofUsers[$0.peer.user] == most })
            else { return nil }
            replaced = loser.number
        }
        if let replaced { leave(replaced) }
        last += 1
        seats.append(Seat(number: last, peer: peer))
        return (last, replaced)
    }

    mutating func serve(_ seat: Int) {
        if let place = seats.firstIndex(where: { $0.number == seat }) { seats[place].isServed = true }
    }

    mutating func leave(_ seat: Int) { seats.removeAll { $0.number == seat } }
}

extension RouteError {
    /// Too many connections.
    ///
    /// - Parameter purpose: of the connections that are counted together.
    init(_ refusal: QuotaRefusal, purpose: String = "") {
        let reason =
            switch refusal {
            case .ofProgram(let count):
                "This program has \(count) connections to the service, the most that one may have. Close some of them, "
                    + "then try again."
            case .ofUser(let count):
                "Your programs have \(count) connections to the service, the most that they may have now. End some of "
                    + "them, then try again."
            case .ofAll(let count):
                "All \(count) connections to the service\(purpose) are taken. Try again when one is closed."
            }
        self.init(.unavailable, reason + " Muting, denying, resetting and ending a dictation work all the same.")
    }
}
