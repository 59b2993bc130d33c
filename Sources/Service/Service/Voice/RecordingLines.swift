import Foundation
import Hummingbird
import NIOCore
import SocketAPI
import Speech

/// The body of `POST /v1/voice-profile/recordings`: lines of `EnrolmentRecording`, within bounds.
enum RecordingLines {
    private typealias Bounds = EnrolmentClip.Bounds

    /// Of a line: a file in Base64, and its sentence.
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
                "These are \(clips.count) recordings; at least \(Bounds.fewestClips) are needed, one a line.")
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
        "At most \(Bounds.mostClips) recordings are taken, of \(Bounds.largestFile >> 20) MB each and "
            + "\(Bounds.largestTotal >> 20) MB together, with sentences of \(Bounds.longestText) characters.")
}
