import Foundation

/// Reads an upload piece by piece as it arrives; see `UploadForm`.
///
/// Keeps at most one package and the part of a value that has not arrived whole, whatever is sent: less than 18 MB.
public struct UploadDecoder: Sendable {
    public enum Element: Sendable, Hashable {
        /// First, once.
        case head(UploadHead)
        /// In order; not verified.
        case package(EntryPackage)
    }

    /// The bytes are not an upload.
    public enum Problem: Error, Sendable, Hashable {
        /// An origin that no log has, or a range that ends before it begins.
        case head
        case entryTooLarge(UInt64)
        case disclosureTooLarge(UInt64)
        /// The disclosures of the package with this entry are larger than a package may have.
        case packageTooLarge(UInt64)
        /// More than 63 hashes in the package that begins here.
        case tooManyHashes(UInt64)
        /// Bytes behind the last package.
        case trailingBytes
    }

    private enum Step {
        case originSize
        case origin(Int)
        case range(origin: String)
        case ticketSize(origin: String, Range<UInt64>)
        case ticket(Int, origin: String, Range<UInt64>)
        case entrySize
        case entry(Int)
        case disclosureSize
        case disclosure(Int)
        case hashCount
        case hashes(Int)
        case end
    }

    private let form: UploadForm
    private var step = Step.originSize
    private var waiting: [UInt8] = []
    /// Up to here `waiting` is read.
    private var place = 0
    private var head: UploadHead?
    /// Of the package that is being read.
    private var range: Range<UInt64> = 0..<0
    private var entries: [Data] = []
    private var disclosures: [Data?] = []
    private var disclosed = 0

    public init(_ form: UploadForm) { self.form = form }

    /// Whether every package of the range was read.
    public var isComplete: Bool { if case .end = step { true } else { false } }

    /// - Parameter bytes: what arrived; it may end anywhere.
    /// - Returns: what became whole with it.
    /// - Throws: `Problem`; after that, the decoder must not be used again.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(Problem) -> [Element] {
        waiting.removeFirst(place)
        place = 0
        waiting.append(contentsOf: bytes)
        var elements: [Element] = []
        while let size = size(of: step), waiting.count - place >= size {
            let value = place..<place + size
            place += size
            if let element = try take(value) { elements.append(element) }
        }
        guard !isComplete || place == waiting.count else { throw .trailingBytes }
        return elements
    }

    /// Bytes of the next value; `nil`: there is none.
    private func size(of step: Step) -> Int? {
        switch step {
        case .originSize, .ticketSize, .entrySize: 2
        case .range: 16
        case .disclosureSize: 4
        case .hashCount: 1
        case .origin(let size), .ticket(let size, _, _), .entry(let size), .disclosure(let size): size
        case .hashes(let count): count * MerkleHash.size
        case .end: nil
        }
    }

    private mutating func take(_ value: Range<Int>) throws(Problem) -> Element? {
        switch step {
        case .originSize: step = .origin(Int(number(value)))
        case .origin:
            guard let origin = String(validating: waiting[value], as: UTF8.self), KeyName.isValid(origin) else {
                throw .head
            }
            step = .range(origin: origin)
        case .range(let origin):
            let (start, end) = (number(value.prefix(8)), number(value.suffix(8)))
            guard start <= end, end <= UInt64(Int64.max) else { throw .head }
            step = .ticketSize(origin: origin, start..<end)
        case .ticketSize(let origin, let range): step = .ticket(Int(number(value)), origin: origin, range)
        case .ticket(_, let origin, let range):
            guard let head = UploadHead(origin: origin, range: range, ticket: Data(waiting[value])) else { throw .head }
            self.head = head
            begin(at: range.lowerBound)
            return .head(head)
        case .entrySize:
            let size = Int(number(value))
            guard size <= form.maximumEntrySize else { throw .entryTooLarge(index(behind: entries.count)) }
            step = .entry(size)
        case .entry:
            entries.append(Data(waiting[value]))
            guard entries.count == range.count else {
                step = .entrySize
                break
            }
            step = form == .records ? .disclosureSize : .hashCount
        case .disclosureSize: try takeDisclosureSize(UInt32(truncatingIfNeeded: number(value)))
        case .disclosure: take(disclosure: Data(waiting[value]))
        case .hashCount:
            let count = Int(number(value))
            guard count <= SubtreeProof.maximumLength else { throw .tooManyHashes(range.lowerBound) }
            step = .hashes(count)
        case .hashes:
            let hashes = stride(from: value.lowerBound, to: value.upperBound, by: MerkleHash.size)
                .compactMap { MerkleHash(bytes: waiting[$0..<$0 + MerkleHash.size]) }
            let package = EntryPackage(range: range, entries: entries, disclosures: disclosures, hashes: hashes)
            begin(at: range.upperBound)
            return .package(package)
        case .end: break
        }
        return nil
    }

    private mutating func takeDisclosureSize(_ size: UInt32) throws(Problem) {
        guard size != EntryPackage.withheld else { return take(disclosure: nil) }
        let index = index(behind: disclosures.count)
        guard size <= JSONValue.maximumSize else { throw .disclosureTooLarge(index) }
        disclosed += Int(size)
        guard disclosed <= EntryPackage.maximumDisclosed else { throw .packageTooLarge(index) }
        step = .disclosure(Int(size))
    }

    private mutating func take(disclosure: Data?) {
        disclosures.append(disclosure)
        step = disclosures.count == range.count ? .hashCount : .disclosureSize
    }

    private mutating func begin(at start: UInt64) {
        (entries, disclosures, disclosed) = ([], [], 0)
        guard let head, start < head.range.upperBound else {
            step = .end
            return
        }
        range = head.package(at: start)
        step = .entrySize
    }

    private func index(behind count: Int) -> UInt64 { range.lowerBound + UInt64(count) }

    private func number(_ place: Range<Int>) -> UInt64 {
        waiting[place].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
