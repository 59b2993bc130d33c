import Authorization

/// What of a notice a terminal shows; also for a notice that came over the socket as text.
public struct DisplayedNotice: Sendable {
    public let title: String
    public let usageDescription: String
    public let items: [(name: String, text: String)]

    public init(title: String, usageDescription: String, items: [(name: String, text: String)]) {
        self.title = title
        self.usageDescription = usageDescription
        self.items = items
    }

    public init(_ notice: Notice) {
        self.init(title: notice.title, usageDescription: notice.usageDescription, items: notice.items)
    }
}
