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
