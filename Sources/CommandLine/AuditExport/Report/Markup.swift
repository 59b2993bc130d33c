import Base

/// HTML. A literal is markup; interpolated values are escaped unless they are `Markup`. So text from records, which comes
/// from programs, cannot become markup by mistake.
struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    private(set) var html: String

    init(stringLiteral value: String) { html = value }
    init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }
    private init(html: String) { self.html = html }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { html += literal }
        mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
        mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
        mutating func appendInterpolation(_ number: Int) { html += String(number) }
        mutating func appendInterpolation(_ text: String) { html += Markup.escaped(text) }
    }

    /// A short untrusted text, such as a name: on one line, limited in length, and isolated in its text direction.
    static func name(_ text: String, limit: Int = 80) -> Markup {
        "<bdi>\(DisplayText.cleaned(text, limit: limit))</bdi>"
    }

    /// An untrusted text of several lines.
    static func lines(_ text: String) -> Markup {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(60).map {
            "<bdi>\(DisplayText.cleaned(String($0), limit: 2_000))</bdi>" as Markup
        }
        return lines.joined("<br>")
    }

    /// The text without markup, for a title.
    var plain: Markup { Markup(html: html.replacing("<bdi>", with: "").replacing("</bdi>", with: "")) }

    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Not allowed in HTML at all.
            case "\0": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }
    static func += (left: inout Markup, right: Markup) { left.html += right.html }
}

extension [Markup] {
    func joined(_ separator: Markup = "") -> Markup {
        var result: Markup = ""
        for (position, part) in enumerated() {
            if position > 0 { result += separator }
            result += part
        }
        return result
    }
}
