/// A day of the week, as policy files name it.
public enum Weekday: String, Sendable, Hashable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// - Parameter day: days since 1 January 1970, which was a Thursday.
    init(ofDay day: Int) {
        let fromMonday = ((day + 3) % 7 + 7) % 7
        self = Self.allCases[fromMonday]
    }
}
