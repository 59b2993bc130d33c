import Foundation

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
