import Foundation

/// Types into the window that has the keyboard.
struct WindowDelivery: Delivery {
    private let tools: DeliveryTools
    /// Those that are there and may type here, the best first.
    private let found: [(tool: TypingTool, path: String)]

    let portion = DeliveryPortion.continuation

    /// Looks for tools and tries whether they may type here, without typing anything.
    ///
    /// - Throws: `CommandError` with `missingTool`, saying why none will do and which package to install.
    init(_ tools: DeliveryTools) async throws {
        self.tools = tools
        var found: [(TypingTool, String)] = []
        var reasons: [String] = []
        for tool in TypingTool.allCases {
            guard let path = tools.path(of: tool.rawValue) else { continue }
            if let obstacle = tool.obstacle(in: tools) {
                reasons.append(obstacle)
                continue
            }
            do {
                if let probe = tool.probe { try await tools.run(path, probe) }
                found.append((tool, path))
            } catch let error as CommandError {
                reasons.append(error.message)
            }
        }
        guard !found.isEmpty else { throw Self.nothing(tools, reasons) }
        self.found = found
    }

    func deliver(_ text: String) async throws {
        guard let (tool, path) = found.first(where: { $0.tool.canType(text) }) else {
            throw DeliveryTools.failure("ydotool types the letters of an American keyboard only.")
        }
        for step in tool.steps(text) { try await tools.run(path, step) }
    }

    private static func nothing(_ tools: DeliveryTools, _ reasons: [String]) -> CommandError {
        let advice: String
        if tools.isWayland {
            advice =
                tools.path(of: "wtype") == nil
                ? "Install wtype: sudo apt install wtype"
                : "Where the compositor has no virtual keyboard (GNOME has none), ydotool types by /dev/uinput: "
                    + "sudo apt install ydotool"
        } else if tools.isX11 {
            advice =
                tools.path(of: "xdotool") == nil
                ? "Install xdotool: sudo apt install xdotool" : "Look whether DISPLAY names your X server."
        } else {
            advice =
                "Neither WAYLAND_DISPLAY nor DISPLAY is set: run this in your desktop's session, or give ydotool "
                + "/dev/uinput (sudo apt install ydotool)."
        }
        let reason = reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
        return CommandError(.missingTool, .unavailable, "Nothing here can type into a window\(reason). \(advice)")
    }
}

/// A program that types into the window that has the keyboard, in the order in which they are tried.
enum TypingTool: String, Sendable, Hashable, CaseIterable {
    /// By Wayland's virtual keyboard, with a key map of its own: any character under any layout.
    case wtype
    /// By the kernel's uinput, so in any session; characters of the layout that DOTOOL_XKB_LAYOUT names.
    case dotool
    /// By the kernel's uinput; the keys of an American keyboard, ASCII only.
    case ydotool
    /// By X11's XTEST.
    case xdotool

    /// Of Debian 12; `nil` where it has none.
    var package: String? { self == .dotool ? nil : rawValue }

    /// Whether it can write this text; one that cannot would leave letters out in silence.
    func canType(_ text: String) -> Bool { self != .ydotool || text.allSatisfy(\.isASCII) }

    /// Why it is of no use in this session whether it is installed or not; `nil` where it may be.
    func obstacle(in tools: DeliveryTools) -> String? {
        switch self {
        case .wtype:
            tools.isWayland ? nil : "wtype needs Wayland"
        case .dotool:
            access("/dev/uinput", W_OK) == 0 ? nil : "dotool needs leave to write /dev/uinput"
        case .ydotool:
            access("/dev/uinput", W_OK) == 0 || access("/tmp/.ydotool_socket", W_OK) == 0
                ? nil : "ydotool needs leave to write /dev/uinput, or its daemon"
        case .xdotool:
            // It would reach the windows of old programs and no others, and never say so.
            tools.isX11 && !tools.isWayland ? nil : "xdotool needs X11"
        }
    }

    /// A call that fails where the session does not let it type, and has no effect elsewhere; `nil` where there is none.
    var probe: ToolStep? {
        switch self {
        case .wtype: ToolStep(["-s", "1"])
        case .xdotool: ToolStep(["getdisplaygeometry"])
        case .dotool, .ydotool: nil
        }
    }

    /// The calls that type the text, one after the other.
    func steps(_ text: String) -> [ToolStep] {
        switch self {
        case .wtype: [ToolStep(["-"], input: text)]
        case .dotool: [ToolStep([], input: Self.commands(text))]
        case .ydotool: [ToolStep(["type", "--file", "/dev/stdin"], input: text)]
        case .xdotool: XdotoolRun.runs(text).map(\.step)
        }
    }

    /// dotool reads commands, each a line.
    private static func commands(_ text: String) -> String {
        var lines: [String] = []
        var word = ""
        func typeWord() {
            if !word.isEmpty { lines.append("type \(word)") }
            word = ""
        }
        for character in text {
            switch character {
            case "\n":
                typeWord()
                lines.append("key enter")
            case "\t":
                typeWord()
                lines.append("key tab")
            default:
                word.append(character)
            }
        }
        typeWord()
        return lines.map { $0 + "\n" }.joined()
    }
}

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
