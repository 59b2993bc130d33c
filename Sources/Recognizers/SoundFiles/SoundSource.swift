import CSoundFile
import Foundation

/// The bytes of a sound file for the libraries that decode it, on the thread that reads: a file that can be read at any place, or a
/// stream of which only the beginning is kept, and positions far ahead read as the end.
final class SoundSource {
    private static let keptLength = 65_536
    /// How far ahead of the received bytes of a stream a reader may seek; the bytes between are dropped.
    private static let reach = 65_536
    /// Longer than any stream; libsndfile requires a length.
    private static let assumedLength: sf_count_t = 1 << 50

    let descriptor: Int32
    /// Of a file that can be read at any place.
    let length: sf_count_t?
    private var kept: [UInt8] = []
    /// The number of received bytes of a stream.
    private var received: sf_count_t = 0
    private var position: sf_count_t = 0

    /// - Parameter descriptor: the caller closes it.
    init(descriptor: Int32, isStream: Bool) {
        self.descriptor = descriptor
        length = isStream ? nil : sf_count_t(lseek(descriptor, 0, SEEK_END))
        if !isStream { lseek(descriptor, 0, SEEK_SET) }
    }

    /// For the next library, after one has read the beginning and refused the file.
    ///
    /// - Returns: whether the beginning can be read again.
    func rewind() -> Bool {
        if length != nil { return lseek(descriptor, 0, SEEK_SET) == 0 }
        position = 0
        return kept.count == received
    }

    /// Call it when the sound is over. Reads on, as far as a file without an end allows.
    func rest() -> SoundRest {
        var rest = SoundRest()
        while rest.count < SoundRest.most {
            let bytes = next(Self.reach)
            guard !bytes.isEmpty else { break }
            rest.take(bytes)
        }
        return rest
    }

    func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
        if length != nil { return sf_count_t(lseek(descriptor, Int(offset), whence)) }
        let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : Self.assumedLength
        // The offset comes from the file.
        let (sum, isTooLarge) = base.addingReportingOverflow(offset)
        position = isTooLarge ? Self.assumedLength : min(max(sum, 0), Self.assumedLength)
        return position
    }

    func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
        length == nil ? readStream(target) : Self.read(descriptor, target)
    }

    private func readStream(_ target: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < target.count {
            if position < kept.count {
                let start = Int(position)
                let count = min(kept.count - start, target.count - filled)
                kept.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
                }
                filled += count
                position += sf_count_t(count)
                continue
            }
            guard position >= received, position - received <= Self.reach else { break }
            let isAhead = position > received
            let bytes = next(isAhead ? Int(position - received) : target.count - filled)
            guard !bytes.isEmpty else { break }
            if kept.count < Self.keptLength, kept.count == Int(received) {
                kept.append(contentsOf: bytes.prefix(Self.keptLength - kept.count))
            }
            received += sf_count_t(bytes.count)
            guard !isAhead else { continue }
            UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: bytes)
            filled += bytes.count
            position += sf_count_t(bytes.count)
        }
        return filled
    }

    private func next(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: min(limit, 65_536)) { buffer, count in
            count = Self.read(descriptor, UnsafeMutableRawBufferPointer(buffer))
        }
    }

    private static func read(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer) -> Int {
        var result = Foundation.read(descriptor, target.baseAddress, target.count)
        while result < 0, errno == EINTR { result = Foundation.read(descriptor, target.baseAddress, target.count) }
        return max(result, 0)
    }
}

extension SoundSource {
    /// The functions that libsndfile calls with a pointer to a stream's source, on the thread that reads.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { _ in SoundSource.assumedLength },
            seek: { offset, whence, source in SoundSource.from(source)?.seek(offset, whence) ?? -1 },
            read: { target, count, source in
                guard let target, count > 0, let source = SoundSource.from(source) else { return 0 }
                return sf_count_t(source.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
            },
            write: { _, _, _ in 0 },
            tell: { source in SoundSource.from(source)?.position ?? -1 })
    }

    /// The decoder keeps the source while its library has the pointer.
    static func from(_ pointer: UnsafeMutableRawPointer?) -> SoundSource? {
        pointer.map { Unmanaged<SoundSource>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// What follows the sound that a decoder has read.
struct SoundRest {
    /// Read no further: more than any tags.
    static let most = 64 << 20

    /// How sound files begin, and where.
    private static let beginnings: [(first: [UInt8], second: [UInt8], offset: Int)] = [
        (Array("RIFF".utf8), Array("WAVE".utf8), 8), (Array("fLaC".utf8), [0], 4), (Array("OggS".utf8), [0, 2], 4),
    ]

    private(set) var count = 0
    /// Whether it begins with four printable letters, as a chunk of tags does, or with zeros, after at most one byte of padding.
    private(set) var isChunk = true
    /// Whether another sound file begins in it.
    private(set) var hasSound = false
    private var end: [UInt8] = []

    mutating func take(_ bytes: [UInt8]) {
        if count == 0 {
            isChunk = [0, 1].contains { skipped in
                let name = bytes.dropFirst(skipped).prefix(4)
                return name.allSatisfy { (0x20..<0x7F).contains($0) } || name.allSatisfy { $0 == 0 }
            }
        }
        count += bytes.count
        guard !hasSound else { return }
        // A beginning may lie across two pieces.
        let text = end + bytes
        end = Array(text.suffix(11))
        hasSound = text.withUnsafeBytes { Self.beginsSound(in: $0) }
    }

    private static func beginsSound(in text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 12 else { return false }
        var place = 0
        while place <= text.count - 12 {
            for (first, second, offset) in beginnings where text[place] == first[0] {
                if text[place..<place + 4].elementsEqual(first),
                    text[place + offset..<place + offset + second.count].elementsEqual(second)
                {
                    return true
                }
            }
            place += 1
        }
        return false
    }
}
