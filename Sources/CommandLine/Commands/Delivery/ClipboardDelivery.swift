/// Puts the text so far into the clipboard after each utterance.
struct ClipboardDelivery: Delivery {
    private let tools: DeliveryTools
    private let tool: ClipboardTool
    private let path: String

    let portion = DeliveryPortion.everything

    /// - Throws: `CommandError` with `missingTool` and the package to install.
    init(_ tools: DeliveryTools) throws(CommandError) {
        self.tools = tools
        let fitting = ClipboardTool.allCases.filter { $0.fits(tools) }
        let first = try require(
            fitting.first, .missingTool,
            "There is no clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set. Run this in a desktop session.")
        let found = try require(
            fitting.lazy.compactMap({ tool in tools.path(of: tool.rawValue).map { (tool, $0) } }).first, .missingTool,
            "No clipboard tool is installed (\(fitting.map(\.rawValue).joined(separator: ", "))). To install one: "
                + "sudo apt install \(first.package)")
        (tool, path) = found
    }

    func deliver(_ text: String) async throws {
        // The tool stays in the background to serve the text, and would keep the pipe open.
        try await tools.run(path, tool.step(text), complaints: .discarded)
    }
}

/// Clipboard programs in the order in which they are tried.
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
