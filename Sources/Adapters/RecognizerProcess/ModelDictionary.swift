import Dispatch
import Foundation
import Speech

/// A model's pronunciation dictionary. It is read for each check, because sessions with phrases are rare and it has 3 MB.
struct ModelDictionary: Sendable {
    /// Bytes.
    private static let largest = 64 << 20
    private static let queue = DispatchQueue(label: "voicegate.dictionary")

    let folder: String

    /// - Parameter refusal: the error for a word that the dictionary does not have.
    /// - Throws: the refusal of the first such word; `modelUnavailable`.
    func check(
        _ words: [String], _ refusal: @Sendable (String) -> RecognitionError
    ) async throws(RecognitionError) {
        let result: Result<String?, RecognitionError> = await withCheckedContinuation { continuation in
            // Reading a file blocks.
            Self.queue.async {
                continuation.resume(returning: Result { () throws(RecognitionError) in try look(up: words) })
            }
        }
        if let word = try result.get() { throw refusal(word) }
    }

    private func look(up words: [String]) throws(RecognitionError) -> String? {
        var wanted = Set(words.map { Array($0.utf8) })
        try bytes().withUnsafeBytes { (text: UnsafeRawBufferPointer) in
            // A line has a word, a space, and its phones; other pronunciations are `word(2)`.
            for line in text.split(separator: UInt8(ascii: "\n")) {
                guard let end = line.firstIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
                else { continue }
                wanted.remove(Array(line[..<end]))
                if wanted.isEmpty { break }
            }
        }
        return words.first { wanted.contains(Array($0.utf8)) }
    }

    private func bytes() throws(RecognitionError) -> Data {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        guard let name = names.first(where: { $0.hasSuffix(".dict") }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name), options: .alwaysMapped),
            data.count <= Self.largest
        else {
            throw RecognitionError(
                code: .modelUnavailable,
                message: "The model folder \(folder) has no readable dictionary (*.dict). Install the model again.")
        }
        return data
    }
}
