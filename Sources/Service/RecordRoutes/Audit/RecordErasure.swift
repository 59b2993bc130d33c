import Authorization
import Consent
import Foundation
import Retention
import SocketAPI

/// The user's right to erasure: of records, and of what is kept.
package struct RecordErasure: Sendable {
    private let log: ConsentLog
    private let items: ItemStore
    private let running: @Sendable () async -> Set<String>

    /// - Parameter running: the sessions that run, whose records stay.
    package init(log: ConsentLog, items: ItemStore, running: @escaping @Sendable () async -> Set<String>) {
        (self.log, self.items, self.running) = (log, items, running)
    }

    /// What `erase` would do now.
    func rehearse(_ scope: RightsScope, for user: UInt32) async throws -> RecordErasureReply {
        let result = try await log.erase(scope, running: await running(), rehearsing: true)
        return RecordErasureReply(
            records: result.erased, items: try await items.items(ItemSelection(scope)).count,
            kept: Self.shown(result, scope, to: user))
    }

    /// Erases records and what is kept; the log has the request and its outcome.
    package func erase(_ wanted: RightsScope, by caller: Caller) async throws -> RecordErasureReply {
        var scope = wanted
        let asked = RightsRequest(
            identifier: UUID().uuidString.lowercased(), right: .erasure, scope: scope, by: caller)
        let size = try await log.record(.requestReceived(asked), changing: nil)
        // Later sessions have their records after `size`; items are selected by their time.
        let records = scope
        scope.before = min(scope.before ?? .distantFuture, Date())
        do {
            let items = try await items.erase(ItemSelection(scope), for: .requested)
            let result = try await log.erase(
                records, upTo: size, running: await running())
            let kept = Self.shown(result, scope, to: caller.user)
            try await log.record(
                .requestAnswered(
                    asked, kept.allSatisfy { $0.reason == .logItself } ? .fulfilled : .partly, records: result.erased,
                    items: items, kept: kept.map { ($0.records, $0.reason) }), changing: nil)
            return RecordErasureReply(
                records: result.erased, items: items, kept: kept, request: asked.identifier)
        } catch {
            // This error is reported, not that of recording it.
            _ = try? await log.record(.requestAnswered(asked, .failed), changing: nil)
            throw error
        }
    }

    /// What stays, in the order of the reasons, each with the command by which the caller can end the reason.
    private static func shown(
        _ result: ErasureResult, _ scope: RightsScope, to user: UInt32
    ) -> [RecordErasureReply.Kept] {
        KeepingReason.allCases.compactMap { reason in
            result.kept[reason].map {
                RecordErasureReply.Kept(
                    records: $0, reason: reason, command: command(ending: reason, of: result, scope, by: user))
            }
        }
    }

    private static func command(
        ending reason: KeepingReason, of result: ErasureResult, _ scope: RightsScope, by user: UInt32
    ) -> String? {
        switch reason {
        case .muteInForce:
            let mutes = result.mutes.filter { $0.user == user || $0.scope == .everyone && user == 0 }
            return mutes.isEmpty ? nil : mutes.map(\.scope.kind.unmuteCommand).sorted().joined(separator: " && ")
        // The other commands are about the caller.
        case _ where scope.user != user: return nil
        // A session ends with its decision.
        case .decisionInForce, .sessionRunning:
            return "voicegate reset " + (scope.client.map { "--client \($0)" } ?? "--all")
        case .monitorRegistered: return "voicegate monitor remove MONITOR"
        case .endsEarlierDecision, .logItself: return nil
        }
    }
}

extension ItemSelection {
    fileprivate init(_ scope: RightsScope) {
        self.init(client: scope.client, user: scope.user, session: scope.session, before: scope.before)
    }
}
