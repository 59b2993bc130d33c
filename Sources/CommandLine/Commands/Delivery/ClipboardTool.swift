/// A program that holds the clipboard, in the order in which they are tried.
enum ClipboardTool: String, Sendable, Hashable, CaseIterable {
    case wlCopy = "wl-copy"
    case xclip
    case xsel

    var package: String { self == .wlCopy ? "wl-clipboard" : rawValue }

    func fits(_ tools: DeliveryTools) -> Bool { self == .wlCopy ? tools.isWayland : tools.isX11 }

    func step(_ text: String) -> ToolStep {
        switch self {
        case .wlCopy: ToolStep(["--type", "text/plain;charset=utf-8"], input: text)
        case .xclip: ToolStep(["-selection", "clipboard", "-in"], input: text)
        case .xsel: ToolStep(["--clipboard", "--input"], input: text)
        }
    }
}
