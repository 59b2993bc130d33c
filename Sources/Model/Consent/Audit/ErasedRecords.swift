/// The field `records` of `data.erased`: `[[first,last],…]`, both counted in, in order.
enum ErasedRecords {
    /// More would make the record larger than a record may be.
    static let mostRanges = 16_384

    static func json(_ indexes: some Sequence<Int64>) -> [JSONValue] {
        var ranges: [(Int64, Int64)] = []
        for index in indexes {
            if let last = ranges.last, last.1 + 1 == index {
                ranges[ranges.count - 1].1 = index
            } else {
                ranges.append((index, index))
            }
        }
        return stride(from: 0, to: ranges.count, by: mostRanges).map { start in
            .array(
                ranges[start..<min(start + mostRanges, ranges.count)].map { .array([.integer($0.0), .integer($0.1)]) })
        }
    }

    /// - Returns: what can be read; a range that no log has is left out.
    static func ranges(_ json: JSONValue?) -> [ClosedRange<Int>] {
        (json?.array ?? []).compactMap { range in
            guard let ends = range.array, ends.count == 2, let first = ends[0].integer, let last = ends[1].integer,
                0 <= first, first <= last, last < 1 << 53
            else { return nil }
            return Int(first)...Int(last)
        }
    }
}
