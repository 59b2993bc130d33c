/// What a path below a log's prefix names: https://c2sp.org/tlog-tiles.
///
///     tile/<L>/<N>[.p/<W>]          hashes
///     tile/entries/<N>[.p/<W>]      entry bundle
///
/// `<N>` has three digits a path element, all but the last behind an `x`: 1234067 is `x001/x234/067`.
public struct TilePath: Sendable, Hashable {
    /// Hashes or entries of a full tile.
    public static let fullWidth: UInt64 = 256

    /// `nil`: an entry bundle, which is beside the tiles of level 0.
    public let level: Int?
    public let position: UInt64
    /// 1 to 256.
    public let width: UInt64

    public init(level: Int?, position: UInt64, width: UInt64 = fullWidth) {
        self.level = level
        self.position = position
        self.width = width
    }

    /// - Returns: `nil` unless the path is what `path` writes.
    public init?(path: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        guard parts.popFirst() == "tile", let kind = parts.popFirst() else { return nil }
        var width = Self.fullWidth
        if parts.count >= 2, let place = parts.dropLast().last, place.hasSuffix(".p"), let last = parts.popLast() {
            guard let value = Self.number(last), (1..<Self.fullWidth).contains(value) else { return nil }
            width = value
            parts = parts.dropLast() + [place.dropLast(2)]
        }
        guard let last = parts.popLast(), parts.allSatisfy({ $0.hasPrefix("x") }) else { return nil }
        var position: UInt64 = 0
        for digits in parts.map({ $0.dropFirst() }) + [last] {
            guard digits.utf8.count == 3, let value = UInt64(digits),
                case let (product, isOver) = position.multipliedReportingOverflow(by: 1000), !isOver
            else { return nil }
            position = product + value
        }
        let level = kind == "entries" ? nil : Self.number(kind).map(Int.init)
        guard kind == "entries" || level.map({ $0 <= 63 }) == true else { return nil }
        self.init(level: level, position: position, width: width)
        guard self.path == path else { return nil }
    }

    public var path: String {
        var elements: [String] = []
        var rest = position
        repeat {
            let digits = String(rest % 1000)
            elements.append(String(repeating: "0", count: 3 - digits.count) + digits)
            rest /= 1000
        } while rest > 0
        let place = elements.enumerated().reversed().map { $0.offset > 0 ? "x\($0.element)" : $0.element }
        let start = "tile/\(level.map(String.init) ?? "entries")/\(place.joined(separator: "/"))"
        return width < Self.fullWidth ? "\(start).p/\(width)" : start
    }

    private static func number(_ text: Substring) -> UInt64? {
        UInt64(text).flatMap { String($0) == text ? $0 : nil }
    }
}
