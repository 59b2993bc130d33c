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
