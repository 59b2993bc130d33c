import Authorization

/// A notice as a desktop notification: a summary and a body of lines.
///
/// Nothing in it is the client's to lay out: each text is one line, bounded, without control or direction-changing
/// characters, and cannot be read as markup (Desktop Notifications Specification, "Markup").
struct NotificationText {
    let summary: String
    let body: String

    /// - Parameter isMarkup: whether the server reads the body as markup.
    init(_ notice: DisplayedNotice, isMarkup: Bool) {
        func shown(_ text: String, _ limit: Int) -> String {
            let line = DisplayText.cleaned(text, limit: limit)
            return isMarkup ? Self.escaped(line) : line
        }
        // The summary is never markup.
        summary = DisplayText.cleaned(notice.title, limit: 300)
        var lines = ["“\(shown(notice.usageDescription, 400))”"]
        lines += notice.items.map { "\(shown($0.name, 40)): \(shown($0.text, 400))" }
        body = lines.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"])
    }
}

extension String {
    fileprivate func replacingOccurrences(_ replacements: [Character: String]) -> String {
        reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }
}
