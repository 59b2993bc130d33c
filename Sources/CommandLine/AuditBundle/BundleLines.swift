import Foundation

/// The lines of a file of a bundle, one after the other, in bounded memory.
struct BundleLines {
    private let file: BundleFile
    /// Bytes of a line without its end.
    private let limit: Int
    private var rest = Data()

    init(_ file: BundleFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// - Returns: the next line without its end; `nil` after the last one.
    /// - Throws: `BundleProblem` when a line is too long, or the last one has no end.
    mutating func next() throws(BundleProblem) -> Data? {
        var searched = 0
        while true {
            if let end = rest.dropFirst(searched).firstIndex(of: 0x0A) {
                let line = rest[..<end]
                guard line.count <= limit else { throw tooLong }
                rest = rest[rest.index(after: end)...]
                return Data(line)
            }
            searched = rest.count
            guard searched <= limit else { throw tooLong }
            let piece = try file.piece()
            if piece.isEmpty {
                guard rest.isEmpty else {
                    throw BundleProblem(.malformed, file: file.path, "its last line has no end; it may be cut off")
                }
                return nil
            }
            rest = rest + piece
        }
    }

    private var tooLong: BundleProblem {
        BundleProblem(.tooLarge, file: file.path, "it has a line of more than \(limit) bytes")
    }
}
