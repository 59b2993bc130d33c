import CZlib

/// Unpacks a body with `Content-Encoding: gzip` piece by piece: a few bytes may unpack to very many, of which only one piece
/// is in memory.
final class GzipReader {
    /// The bytes are not gzip, or go on behind its end.
    struct Problem: Error {}

    private static let pieceSize = 64 * 1024

    /// zlib keeps the stream's address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: ArraySlice<UInt8> = []
    private var isAtEnd = false
    /// Whether zlib may have more of what it was given.
    private var hasMore = false

    /// - Throws: `Problem` if there is no memory.
    init() throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 is the largest window; 16 more: gzip, not zlib's own format.
        let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw Problem() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// - Parameter bytes: what arrived; it may end anywhere. What was fed before must have been read.
    func feed(_ bytes: some Sequence<UInt8>) { input = ArraySlice(bytes) }

    /// - Returns: what comes next, not empty; `nil` until more is fed.
    func next() throws -> [UInt8]? {
        while !input.isEmpty || hasMore {
            guard !isAtEnd else { throw Problem() }
            let piece = try inflate()
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func inflate() throws -> [UInt8] {
        var code = Z_OK
        var used = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, made in
            input.withUnsafeBufferPointer { input in
                // zlib only reads the input.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                code = CZlib.inflate(stream, Z_NO_FLUSH)
                used = input.count - Int(stream.pointee.avail_in)
                made = output.count - Int(stream.pointee.avail_out)
            }
        }
        // Z_BUF_ERROR: it needs more input.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else { throw Problem() }
        input = input.dropFirst(used)
        isAtEnd = code == Z_STREAM_END
        hasMore = !isAtEnd && piece.count == Self.pieceSize
        return piece
    }
}
