import Foundation

extension PublicationRequest {
    /// Characters of a destination.
    public static let longestDestination = 1024
}

/// The positions of the log that an answer to `GET /v1/audit/records` covers: as a field of its head `FIRST-LAST/SIZE`, or
/// `*/SIZE` for none. The next request continues after the last one.
public struct RecordSpan: Sendable, Hashable {
    public static let fieldName = "voicegate-record-span"
    /// Of a request by another program than VoiceGate's command: its filter may match few of all records.
    public static let longest: UInt64 = 16_384

    public let range: Range<UInt64>
    /// Records of the log.
    public let size: UInt64

    /// - Parameters:
    ///   - after: the index before the span; `nil`: from the beginning.
    ///   - fromEnd: whether the newest records are wanted; the span then ends with the log.
    ///   - isBounded: whether it has at most `longest` positions.
    public init(of size: UInt64, after: UInt64?, fromEnd: Bool = false, isBounded: Bool) {
        let start = min(after.map { $0 == .max ? $0 : $0 + 1 } ?? 0, size)
        let count = isBounded ? min(size - start, Self.longest) : size - start
        range = fromEnd ? size - count..<size : start..<start + count
        self.size = size
    }

    private init(_ range: Range<UInt64>, size: UInt64) { (self.range, self.size) = (range, size) }

    /// The span as a program is told it, that may not learn how much was recorded about others since: at the log's end, up to the last
    /// record that it reads; before that, without how much follows.
    ///
    /// - Parameter ends: the first position to tell, and the last record that the program reads; `nil`: it reads none.
    public func shown(ends: (first: UInt64, last: UInt64)?) -> RecordSpan {
        guard range.upperBound == size else { return RecordSpan(range, size: range.upperBound + 1) }
        guard let (first, last) = ends else { return RecordSpan(0..<0, size: 0) }
        return RecordSpan(first..<last + 1, size: last + 1)
    }

    public init?(text: String) {
        guard let match = text.wholeMatch(of: /(?:([0-9]+)-([0-9]+)|\*)\/([0-9]+)/), let size = UInt64(match.3) else {
            return nil
        }
        self.size = size
        guard let start = match.1, let end = match.2 else {
            range = size..<size
            return
        }
        guard let first = UInt64(start), let last = UInt64(end), first <= last, last < size else { return nil }
        range = first..<last + 1
    }

    public var text: String { (range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)") + "/\(size)" }
}
