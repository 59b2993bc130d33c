/// Puts all that was said so far into the clipboard, again after each utterance.
struct ClipboardDelivery: Delivery {
    private let tools: DeliveryTools
    private let tool: ClipboardTool
    private let path: String

    let portion = DeliveryPortion.everything

    /// - Throws: `CommandError` with `missingTool`, naming the package to install.
    init(_ tools: DeliveryTools) throws(CommandError) {
        self.tools = tools
        let fitting = ClipboardTool.allCases.filter { $0.fits(tools) }
        guard let first = fitting.first else {
            throw CommandError(
                .missingTool, .unavailable,
                "There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set. Run this in your desktop's session."
            )
        }
        for tool in fitting {
            if let path = tools.path(of: tool.rawValue) {
                (self.tool, self.path) = (tool, path)
                return
            }
        }
        throw CommandError(
            .missingTool, .unavailable,
            "Nothing here fills the clipboard (\(fitting.map(\.rawValue).joined(separator: ", "))). Install one: "
                + "sudo apt install \(first.package)")
    }

    func deliver(_ text: String) async throws {
        // It stays behind to hand the text out, with whatever it was given for complaints.
        try await tools.run(path, tool.step(text), complaints: .discarded)
    }
}

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
