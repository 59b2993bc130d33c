import Authorization
import Consent
import Foundation

/// `html`: one page to read and print, in one language, that needs nothing but itself. Holds figures and the newest of
/// long lists, never all records.
public struct HTMLReport: RecordFormat {
    private var figures: ReportFigures
    private let scope: ExportScope

    /// - Parameter timeZone: in which times are told and days begin.
    public init(scope: ExportScope, timeZone: TimeZone = .current) {
        self.scope = scope
        figures = ReportFigures(clock: LocalClock(timeZone: timeZone), isWhole: scope.isWhole)
    }

    public mutating func add(_ record: AuditRecord) -> String {
        figures.add(record)
        return ""
    }

    public mutating func end(_ verification: ExportVerification) -> String {
        ReportPage(
            figures: figures.finished(at: Timestamp(scope.madeAt).milliseconds), scope: scope,
            verification: verification
        ).document.html
    }
}

/// The newest of many, and how many there were.
struct Newest<Element: Sendable>: Sendable {
    private(set) var count = 0
    private let limit: Int
    private var ring: [Element] = []

    init(_ limit: Int) { self.limit = limit }

    mutating func append(_ element: Element) {
        if ring.count < limit { ring.append(element) } else { ring[count % limit] = element }
        count += 1
    }

    /// Newest first.
    var elements: [Element] {
        let split = count > limit ? count % limit : 0
        return (ring[split...] + ring[..<split]).reversed()
    }

    var leftOut: Int { count - ring.count }
}
