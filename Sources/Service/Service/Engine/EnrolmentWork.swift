import Authorization
import Foundation
import Hummingbird
import NIOCore
import RecognizerProcess
import Retention
import SocketAPI
import Speech
import Synchronization

/// Learns a voice from clips, and keeps the result if it lowers the errors.
struct EnrolmentWork: Sendable {
    let learner: VoiceLearner
    let profiles: VoiceProfiles

    /// Learns, keeps the result if it helps, and reports both, but not the end.
    ///
    /// - Parameter writer: the profile's item; it is dropped if no profile is kept.
    /// - Throws: `EnrolmentError`, `RetentionError`; nothing is kept then.
    func learn(from clips: [EnrolmentClip], into writer: ItemWriter, _ events: EnrolmentEvents) async throws {
        try await keep(in: writer, events) {
            try await watching(writer) { try await learner.learn(from: clips) { events.learning($0) } }
        }
    }

    func keep(
        in writer: ItemWriter, _ events: EnrolmentEvents, _ learning: () async throws -> Adaptation
    ) async throws {
        let adaptation: Adaptation
        let item: KeptItem?
        do {
            adaptation = try await learning()
            item = try await adaptation.gain.isClear ? profiles.keep(adaptation, in: writer) : nil
        } catch {
            await drop(writer)
            throw error
        }
        if item == nil { await drop(writer) }
        events.send(
            .learnt(
                VoiceProfileReply(
                    item: item?.identifier, client: writer.item.client, date: item?.date ?? Date(), until: item?.end,
                    gain: adaptation.gain, seconds: adaptation.seconds, fitsModel: true),
                kept: item != nil, unused: adaptation.unused.map { $0 + 1 }))
    }

    /// In a task of its own, so that the item is erased even if the work was cancelled.
    func drop(_ writer: ItemWriter) async { await Task { await profiles.items.drop(writer.item) }.value }

    /// Ends the work if the item is erased meanwhile: the permission was withdrawn.
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
                    code: .cancelled, message: "The permission was withdrawn; nothing was learnt or kept.")
            }
            return adaptation
        }
    }
}

/// An enrolment's events for its client. Bounded: unread events are replaced by the newest. An enrolment has fewer before it
/// learns.
final class EnrolmentEvents: Sendable {
    let (stream, continuation) = AsyncStream.makeStream(
        of: EnrolmentEvent.self, bufferingPolicy: .bufferingNewest(4_096))
    private let share = Mutex(-1.0)

    func send(_ event: EnrolmentEvent) { continuation.yield(event) }

    /// Reports progress, at most once for each hundredth.
    func learning(_ done: Double) {
        let isNew = share.withLock { share in
            guard done >= share + 0.01 || done == 1 else { return false }
            share = done
            return true
        }
        if isNew { send(.learning(share: done)) }
    }

    func finish() { continuation.finish() }
}

/// The body of `POST /v1/voice-profile/recordings`: lines of `EnrolmentRecording`, within bounds.
enum RecordingLines {
    private typealias Bounds = EnrolmentClip.Bounds

    /// Bytes of a line: a file in Base64 and its sentence.
    private static let longestLine = Bounds.largestFile / 3 * 4 + 16_384

    static func clips(_ body: RequestBody) async throws -> [EnrolmentClip] {
        var clips: [EnrolmentClip] = []
        var line = Data()
        var total = 0
        for try await buffer in body {
            var rest = Data(buffer: buffer)[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest = rest[rest.index(after: end)...]
                try add(line, to: &clips, &total)
                line = Data()
            }
            line += rest
            guard line.count <= longestLine else { throw tooLarge }
        }
        try add(line, to: &clips, &total)
        guard clips.count >= Bounds.fewestClips else {
            throw RouteError(
                .invalidValue,
                "\(clips.count) recordings are too few; send at least \(Bounds.fewestClips), one a line.")
        }
        return clips
    }

    private static func add(_ line: Data, to clips: inout [EnrolmentClip], _ total: inout Int) throws {
        guard !line.isEmpty else { return }
        guard line.count <= longestLine else { throw tooLarge }
        guard let recording = try? JSONCoding.decoder().decode(EnrolmentRecording.self, from: line) else {
            throw RouteError(
                .badRequest, "Line \(clips.count + 1) is not {\"text\": …, \"sound\": a file in Base64}.")
        }
        total += recording.sound.count
        guard clips.count < Bounds.mostClips, total <= Bounds.largestTotal, recording.text.count <= Bounds.longestText
        else { throw tooLarge }
        clips.append(EnrolmentClip(text: recording.text, sound: .file([UInt8](recording.sound))))
    }

    private static let tooLarge = RouteError(
        .tooLarge,
        "Send at most \(Bounds.mostClips) recordings, of \(Bounds.largestFile >> 20) MB each and "
            + "\(Bounds.largestTotal >> 20) MB together, with sentences of \(Bounds.longestText) characters.")
}
