import Foundation
import LinuxSystem
import SocketAPI

/// A folder with recordings and their texts: `transcripts.tsv` (or `references.tsv`) with a name, a tab and the words per
/// line, or a `transcription` of sphinxtrain: `<s> words </s> (name)`.
struct RecordingFolder: Sendable {
    private static let tables = ["transcripts.tsv", "references.tsv", "transcription"]
    private static let endings = ["", ".wav", ".flac"]
    private static let longestTable = 1 << 20
    private static let largestFile = 16 << 20

    private let recordings: [(path: String, text: String)]

    /// - Throws: `CommandError` with `noInput` if the table or a recording is missing.
    init(_ folder: String) throws {
        guard let table = Self.tables.first(where: { FileManager.default.fileExists(atPath: folder + "/" + $0) }) else {
            throw CommandError(
                .noInput, "\(folder) has no transcripts.tsv. It needs a line per recording: name, tab, words.")
        }
        let path = folder + "/" + table
        guard let data = try? RegularFile(path: path, limit: Self.longestTable).data else {
            throw CommandError(.noInput, "\(path) cannot be read or is larger than 1 MB.")
        }
        recordings = try String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            guard let (name, text) = table == "transcription" ? Self.sphinx(line) : Self.tabbed(line) else {
                return nil
            }
            let paths = Self.endings.map { folder + "/" + name + $0 }
            guard !name.contains("/"),
                let found = paths.first(where: { (try? FileMetadata(path: $0))?.isDirectory == false })
            else {
                throw CommandError(.noInput, "\(path) names \(name), but the folder has no such WAV or FLAC file.")
            }
            return (found, text)
        }
        guard !recordings.isEmpty else { throw CommandError(.noInput, "\(path) lists no recordings.") }
    }

    /// The recordings as the service expects them; each is read when it is needed.
    func lines() -> some AsyncSequence<[UInt8], any Error> & Sendable {
        let (queue, filling) = AsyncStream.makeStream(of: (path: String, text: String).self)
        for recording in recordings { filling.yield(recording) }
        filling.finish()
        return queue.map { recording in
            try Task.checkCancellation()
            return try await Blocking.run {
                guard let data = try? RegularFile(path: recording.path, limit: Self.largestFile).data else {
                    throw CommandError(.noInput, "\(recording.path) cannot be read or is larger than 16 MB.")
                }
                let line = EnrolmentRecording(text: recording.text, sound: data)
                return [UInt8](try JSONCoding.encoder().encode(line)) + [UInt8(ascii: "\n")]
            }
        }
    }

    private static func tabbed(_ line: Substring) -> (String, String)? {
        let parts = line.split(separator: "\t", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (parts[0].trimmingCharacters(in: .whitespaces), parts[1].trimmingCharacters(in: .whitespaces))
    }

    private static func sphinx(_ line: Substring) -> (String, String)? {
        guard let open = line.lastIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else { return nil }
        let words = line[..<open].replacing("<s>", with: "").replacing("</s>", with: "")
        return (String(line[line.index(after: open)..<close]), words.trimmingCharacters(in: .whitespaces))
    }
}
