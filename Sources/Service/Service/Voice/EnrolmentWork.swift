import Authorization
import Foundation
import RecognizerProcess
import Retention
import SocketAPI
import Speech

/// Learns from clips and keeps what helps.
struct EnrolmentWork: Sendable {
    let learner: VoiceLearner
    let profiles: VoiceProfiles

    /// Learns, keeps what helps, and tells of both, but not of its end.
    ///
    /// - Parameter writer: the item that the profile becomes. Where it does not, it is dropped.
    /// - Throws: `EnrolmentError`, `RetentionError`. Nothing is kept then.
    func learn(from clips: [EnrolmentClip], into writer: ItemWriter, _ events: EnrolmentEvents) async throws {
        let adaptation: Adaptation
        do {
            adaptation = try await watching(writer) { try await learner.learn(from: clips) { events.learning($0) } }
        } catch {
            await drop(writer)
            throw error
        }
        try await keep(adaptation, in: writer, events)
    }

    /// Keeps what was learnt where it helps, and tells of it.
    func keep(_ adaptation: Adaptation, in writer: ItemWriter, _ events: EnrolmentEvents) async throws {
        var item: KeptItem?
        if adaptation.gain.isClear {
            do {
                item = try await profiles.keep(adaptation, in: writer)
            } catch {
                await drop(writer)
                throw error
            }
        } else {
            await drop(writer)
        }
        events.send(
            .learnt(
                VoiceProfileReply(
                    item: item?.identifier, client: writer.item.client, date: item?.date ?? Date(), until: item?.end,
                    gain: adaptation.gain, seconds: adaptation.seconds, fitsModel: true),
                kept: item != nil, unused: adaptation.unused.map { $0 + 1 }))
    }

    /// Also where the work was cancelled: nothing of it is left.
    func drop(_ writer: ItemWriter) async { await Task { await profiles.items.drop(writer.item) }.value }

    /// Ends the work when the item is erased meanwhile: the permission was taken back.
    private func watching(
        _ writer: ItemWriter, _ work: @escaping @Sendable () async throws -> Adaptation
    ) async throws -> Adaptation {
        try await withThrowingTaskGroup(of: Adaptation?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while await profiles.items.isWriting(writer.item) { try await Task.sleep(for: .seconds(1)) }
                return nil
            }
            defer { group.cancelAll() }
            guard let adaptation = try await group.next() ?? nil else {
                throw EnrolmentError(
                    code: .cancelled, message: "The permission was taken back; nothing is learnt or kept.")
            }
            return adaptation
        }
    }
}
