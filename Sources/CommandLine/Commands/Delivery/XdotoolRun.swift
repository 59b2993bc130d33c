/// A part of a text that xdotool types in one call.
///
/// A character that the layout lacks is put on a spare key for the moment, and the window must have looked at the new key
/// map before the next one comes: such parts are typed more slowly. A spare key of one capital letter gives the small
/// one, so capitals are typed with Shift, which is right for keys of the layout too.
struct XdotoolRun: Hashable {
    private enum Kind {
        case plain, foreign, capital
    }

    /// Milliseconds between two keys. At 30 some characters were lost in xterm on a busy machine, at 50 none.
    private static let slow = "60"
    private static let fast = "12"
    /// Of one call, so that a long text does not count as a tool that hangs.
    private static let longest = 200

    private let kind: Kind
    private var text: String

    static func runs(_ text: String) -> [XdotoolRun] {
        var runs: [XdotoolRun] = []
        for scalar in text.unicodeScalars {
            let kind: Kind =
                scalar.properties.isUppercase ? .capital : scalar.isASCII ? .plain : .foreign
            if let last = runs.last, last.kind == kind, last.text.unicodeScalars.count < longest {
                runs[runs.count - 1].text.unicodeScalars.append(scalar)
            } else {
                runs.append(XdotoolRun(kind: kind, text: String(scalar)))
            }
        }
        return runs
    }

    var step: ToolStep {
        switch kind {
        case .plain: ToolStep(["type", "--clearmodifiers", "--delay", Self.fast, "--file", "-"], input: text)
        case .foreign: ToolStep(["type", "--clearmodifiers", "--delay", Self.slow, "--file", "-"], input: text)
        case .capital:
            // Keys have names of their own here, of hexadecimal digits alone.
            ToolStep(
                ["key", "--clearmodifiers", "--delay", Self.slow]
                    + text.unicodeScalars.map { "shift+U" + Self.hexadecimal($0.value) })
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
