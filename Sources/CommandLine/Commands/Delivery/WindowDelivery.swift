import Authorization
import Foundation
import SystemBus

/// Types into the focused window, unless the screen is locked: the text would go into the field for the password.
struct WindowDelivery: Delivery {
    private let tools: DeliveryTools
    private let logins: LoginWatch
    private let screenSavers: ScreenSaverWatch?
    /// The usable tools, the best first.
    private let found: [(tool: TypingTool, path: String)]

    let portion = DeliveryPortion.continuation

    /// Finds the installed tools and probes them without typing.
    ///
    /// - Throws: `CommandError` with `missingTool`, the reasons and the package to install.
    init(_ tools: DeliveryTools) async throws {
        self.tools = tools
        logins = LoginWatch(MessageBus(.system, environment: tools.environment))
        screenSavers = MessageBus(.session, environment: tools.environment).map(ScreenSaverWatch.init)
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
        guard await absence == nil else {
            throw DeliveryTools.failure("The screen is locked or shows another session, so nothing is typed.")
        }
        guard let (tool, path) = found.first(where: { $0.tool.canType(text) }) else {
            throw DeliveryTools.failure("ydotool can only type the characters of an American keyboard.")
        }
        for step in tool.steps(text) { try await tools.run(path, step) }
    }

    /// `nil` also if that cannot be found out.
    private var absence: Absence? {
        get async {
            if case .known(let logins) = await logins.state(), let absence = logins.absences[geteuid()] {
                return absence
            }
            return await screenSavers?.isActive == true ? .locked : nil
        }
    }

    private static func nothing(_ tools: DeliveryTools, _ reasons: [String]) -> CommandError {
        let advice =
            if tools.isWayland {
                tools.path(of: "wtype") == nil
                    ? "Install wtype: sudo apt install wtype"
                    : "If the compositor has no virtual keyboard (such as GNOME), ydotool types through /dev/uinput: "
                        + "sudo apt install ydotool"
            } else if tools.isX11 {
                tools.path(of: "xdotool") == nil
                    ? "Install xdotool: sudo apt install xdotool" : "Check that DISPLAY names your X server."
            } else {
                "Neither WAYLAND_DISPLAY nor DISPLAY is set. Run this in a desktop session, or give ydotool access to "
                    + "/dev/uinput (sudo apt install ydotool)."
            }
        let reason = reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
        return CommandError(.missingTool, "No tool can type into a window\(reason). \(advice)")
    }
}

/// Programs that type into the focused window, in the order in which they are tried.
enum TypingTool: String, Sendable, Hashable, CaseIterable {
    /// Wayland's virtual keyboard with its own key map: any character with any layout.
    case wtype
    /// The kernel's uinput, in any session; characters of the layout in DOTOOL_XKB_LAYOUT.
    case dotool
    /// The kernel's uinput; ASCII only.
    case ydotool
    /// X11's XTEST.
    case xdotool

    /// Whether it can type this text; otherwise it would omit characters silently.
    func canType(_ text: String) -> Bool { self != .ydotool || text.allSatisfy(\.isASCII) }

    /// Why it cannot work in this session even if it is installed; `nil` if it may.
    func obstacle(in tools: DeliveryTools) -> String? {
        switch self {
        case .wtype: tools.isWayland ? nil : "wtype needs Wayland"
        case .dotool: access("/dev/uinput", W_OK) == 0 ? nil : "dotool needs write access to /dev/uinput"
        case .ydotool:
            access("/dev/uinput", W_OK) == 0 || access("/tmp/.ydotool_socket", W_OK) == 0
                ? nil : "ydotool needs write access to /dev/uinput, or its daemon"
        case .xdotool:
            // Under Wayland it would silently reach only X11 windows.
            tools.isX11 && !tools.isWayland ? nil : "xdotool needs X11"
        }
    }

    /// A call without effect that fails if the session does not permit typing; `nil` if there is none.
    var probe: ToolStep? {
        switch self {
        case .wtype: ToolStep(["-s", "1"])
        case .xdotool: ToolStep(["getdisplaygeometry"])
        case .dotool, .ydotool: nil
        }
    }

    /// The calls that type the text, in order.
    func steps(_ text: String) -> [ToolStep] {
        switch self {
        // The window must have its key map before the first key, which is lost otherwise: 0.1 s.
        case .wtype: [ToolStep(["-s", "100", "-"], input: text)]
        case .dotool: [ToolStep([], input: Self.commands(text))]
        case .ydotool: [ToolStep(["type", "--file", "/dev/stdin"], input: text)]
        case .xdotool: XdotoolRun.runs(text).map(\.step)
        }
    }

    /// dotool reads one command per line.
    private static func commands(_ text: String) -> String {
        text.matches(of: /[^\n\t]+|[\n\t]/).map { match in
            switch match.output {
            case "\n": "key enter\n"
            case "\t": "key tab\n"
            default: "type \(match.output)\n"
            }
        }.joined()
    }
}

/// A part of a text that xdotool types in one call.
///
/// A character that the layout lacks is mapped to a spare key, and the window must read the new key map before the next
/// key: such parts are typed more slowly. A spare key of a capital letter types the small one, so capitals use Shift.
struct XdotoolRun: Hashable {
    private enum Kind {
        case plain, foreign, capital
    }

    /// Milliseconds between keys. In xterm on a busy machine characters were lost at 30, none at 50.
    private static let slow = "60"
    private static let fast = "12"
    /// Characters per call, so that a long text stays within the time limit.
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
            // Key names consist of hexadecimal digits.
            ToolStep(
                ["key", "--clearmodifiers", "--delay", Self.slow]
                    + text.unicodeScalars.map { String(format: "shift+U%04X", $0.value) })
        }
    }
}
