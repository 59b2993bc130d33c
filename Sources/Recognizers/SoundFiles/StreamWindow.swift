import CSoundFile
import Foundation

/// A stream as a seekable file for libsndfile: only its beginning is kept, and positions far ahead read as the end.
final class StreamWindow {
    private static let keptLength = 65_536
    /// How far ahead of the received bytes a reader may seek; the bytes between are dropped.
    private static let reach = 65_536
    /// Longer than any file; libsndfile requires a length.
    private static let assumedLength: sf_count_t = 1 << 50

    private let descriptor: Int32
    private var kept: [UInt8] = []
    /// The number of received bytes.
    private var received: sf_count_t = 0
    private var position: sf_count_t = 0

    /// - Parameter descriptor: the caller closes it.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The functions that libsndfile calls with a pointer to a window, on the thread that reads.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { _ in StreamWindow.assumedLength },
            seek: { offset, whence, window in StreamWindow.from(window)?.seek(offset, whence) ?? -1 },
            read: { target, count, window in
                guard let target, count > 0 else { return 0 }
                return StreamWindow.from(window)?.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
                    ?? 0
            },
            write: { _, _, _ in 0 },
            tell: { window in StreamWindow.from(window)?.position ?? -1 })
    }

    /// The sound file keeps the window while libsndfile has the pointer.
    private static func from(_ pointer: UnsafeMutableRawPointer?) -> StreamWindow? {
        pointer.map { Unmanaged<StreamWindow>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
        let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : Self.assumedLength
        // The offset comes from the file.
        let (sum, isTooLarge) = base.addingReportingOverflow(offset)
        position = isTooLarge ? Self.assumedLength : min(max(sum, 0), Self.assumedLength)
        return position
    }

    private func read(_ target: UnsafeMutableRawBufferPointer) -> sf_count_t {
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
        return sf_count_t(filled)
    }

    private func next(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: min(limit, 65_536)) { buffer, count in
            var result = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
            count = max(result, 0)
        }
    }
}
