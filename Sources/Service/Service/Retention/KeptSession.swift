import Authorization
import Foundation
import Logging
import Retention
import SocketAPI
import Speech

/// What is kept of one session: a recording as samples of 16 bits, little-endian, and a transcript as a line of JSON for
/// each utterance.
final class KeptSession: SessionKeeping {
    private let tracks: [DataKind: KeptTrack]

    init(_ session: SessionDescription, _ times: KeepingTimes, _ items: ItemStore, _ logger: Logger) {
        tracks = times.reduce(into: [:]) { tracks, entry in
            tracks[entry.key] = KeptTrack(entry.key, of: session, for: entry.value, items, logger)
        }
    }

    func heard(_ frames: Frames) {
        guard let track = tracks[.recording] else { return }
        var bytes = Data(capacity: frames.samples.count * 2)
        for sample in frames.samples { withUnsafeBytes(of: sample.littleEndian) { bytes.append(contentsOf: $0) } }
        track.add(bytes)
    }

    func recognised(_ transcript: Transcript) {
        guard let track = tracks[.transcript] else { return }
        let utterance = KeptUtterance(text: transcript.text, start: transcript.start, end: transcript.end)
        guard let line = try? JSONCoding.encoder().encode(utterance) else { return }
        track.add(line + [UInt8(ascii: "\n")])
    }

    func end(isKept: Bool) async {
        for track in tracks.values { await track.end(isKept: isKept) }
    }
}
