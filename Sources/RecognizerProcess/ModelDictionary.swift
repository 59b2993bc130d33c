import Dispatch
import Foundation
import Recognition

/// The words that a model knows. The file is read anew each time: a session with phrases is rare, and words of 3 MB kept in
/// memory would be of no use to the others.
struct ModelDictionary: Sendable {
    /// Bytes; Debian's has 3 MB.
    private static let largest = 64 << 20
    private static let queue = DispatchQueue(label: "voicegate.dictionary")

    let folder: String

    /// - Throws: `phraseRefused` naming a word that the dictionary lacks; `modelUnavailable`.
    func check(_ book: PhraseBook) async throws(RecognitionError) {
        let result: Result<Void, RecognitionError> = await withCheckedContinuation { continuation in
            // Reading a file blocks.
            Self.queue.async {
                continuation.resume(returning: Result { () throws(RecognitionError) in try look(up: book) })
            }
        }
        try result.get()
    }

    private func look(up book: PhraseBook) throws(RecognitionError) {
        var wanted = Set(book.spoken.joined().map { Array($0.utf8) })
        try bytes().withUnsafeBytes { (text: UnsafeRawBufferPointer) in
            // A line is a word, a blank, and its sounds; further ways to say it are `word(2)`.
            for line in text.split(separator: UInt8(ascii: "\n")) {
                guard let end = line.firstIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
                else { continue }
                wanted.remove(Array(line[..<end]))
                if wanted.isEmpty { break }
            }
        }
        // The first in the order of the phrases, so that the answer is always the same.
        for word in book.spoken.joined() where wanted.contains(Array(word.utf8)) { throw PhraseBook.unknown(word) }
    }

    private func bytes() throws(RecognitionError) -> Data {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        guard let name = names.first(where: { $0.hasSuffix(".dict") }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name), options: .alwaysMapped),
            data.count <= Self.largest
        else {
            throw RecognitionError(
                code: .modelUnavailable,
                message: "The model folder \(folder) has no dictionary (*.dict) that can be read; install it again.")
        }
        return data
    }
}
