import ArgumentParser
import Authorization
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

extension SetupRun {
    mutating func setUpService() async throws {
        let control = try await context.serviceControl()
        switch control.manager {
        case .machine:
            return output.note(text(.machineStarts))
        case .user:
            return output.note(text(.userStarts))
        case .none where !control.isInstalled:
            return output.note(text(.noUnits))
        case .none:
            guard try await agrees(text(.enableService)) else { return }
            try await context.enableService(true)
            try note(.serviceEnabled)
        }
    }

    mutating func setUpEngine() async throws {
        let client = try await context.client()
        let id = choices.engine
        let list = try await client.engines()
        if list.isUsed(id) { return output.note(text(.engineUsed(id))) }
        if let configured = list.configured {
            return output.note(text(.engineConfigured(configured)))
        }
        if !list.engines.contains(where: { $0.id == id && $0.state == .installed }) {
            guard try await agrees(text(.downloadEngine(id))) else { return }
            let arguments = [id, "--socket", context.socketPath] + (output.isJSON ? ["--quiet"] : [])
            try await EngineInstallCommand.parse(arguments).run(context)
            try note(.engineInstalled(id: id))
        } else {
            guard try await agrees(text(.useEngine(id))) else { return }
        }
        let previous = list.engines.first { !$0.usedFor.isEmpty }?.id
        _ = try await client.useEngine(id, for: nil)
        try note(.engineUsed(id: id, previous: previous))
        output.note(text(.engineChosen(id)))
    }

    mutating func setUpCompletions() async throws {
        let environment = ProcessInfo.processInfo.environment
        let name = choices.shell ?? environment["SHELL"]?.split(separator: "/").last.map(String.init) ?? ""
        guard let shell = CompletionShell(rawValue: name) else {
            return output.note(text(.noCompletions(name)))
        }
        let folders = UserFolders(environment)
        let place =
            switch shell {
            case .zsh: ("zsh/site-functions/_voicegate", folders.data + "/zsh/site-functions/_voicegate")
            case .fish:
                ("fish/vendor_completions.d/voicegate.fish", folders.configuration + "/fish/completions/voicegate.fish")
            default: ("bash-completion/completions/voicegate", folders.data + "/bash-completion/completions/voicegate")
            }
        if let present = ["/usr/share/", "/usr/local/share/"].map({ $0 + place.0 }).first(where: {
            FileManager.default.fileExists(atPath: $0)
        }) {
            return output.note(text(.completionsPresent(shell.rawValue, present)))
        }
        guard try await agrees(text(.writeCompletions(shell.rawValue, place.1))) else { return }
        try note(try SetupFile.change(place.1, to: VoiceGateCommand.completionScript(for: shell)))
        output.note(text(.completionsWritten))
        if shell == .zsh { output.note(text(.completionsOfZsh("\(folders.data)/zsh/site-functions"))) }
    }

    mutating func setUpHotKey() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let desktop = DesktopKeys(environment) else {
            let binding =
                switch true {
                case environment["SWAYSOCK"] != nil, environment["I3SOCK"] != nil:
                    text(.bindIn("sway/i3", "bindsym $mod+d exec dictation-key toggle --type"))
                case environment["HYPRLAND_INSTANCE_SIGNATURE"] != nil:
                    text(.bindIn("hyprland.conf", "bind = SUPER, D, exec, dictation-key toggle --type"))
                default: text(.bindInSettings)
                }
            return output.note("\(binding)\n\(text(.dictationKey))")
        }
        var keys = choices.hotKey
        if keys == nil {
            guard !choices.yes else { return output.note(text(.noKey)) }
            let answer = try await output.answer(to: text(.whichKey))
            keys = answer?.isEmpty == true ? "<Super>d" : answer
        }
        guard let keys, keys.lowercased() != "s" else { return }
        try await desktop.bind(keys, to: "\(OwnProgram.path) control toggle --type")
        try note(.hotKey(keys: keys))
        output.note(text(.keyBound(keys)))
    }

    mutating func setUpAgent() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            return output.note(text(.noDesktop))
        }
        let path = UserFolders(environment).configuration + "/autostart/voicegate-agent.desktop"
        guard try await agrees(text(.startAgent)) else { return }
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=VoiceGate agent
            Comment=Shows the questions of programs that want to listen
            Exec=\(OwnProgram.path) agent --desktop
            Icon=audio-input-microphone
            NoDisplay=true

            """
        try note(try SetupFile.change(path, to: entry))
        output.note(text(.agentStarts))
    }
}

/// This program, for files that start it. Without spaces, which a desktop entry would have to quote.
private enum OwnProgram {
    static var path: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let path = link, ShellWord.quoted(path) == path else { return "voicegate" }
        return path
    }
}

/// The user's folders by the XDG Base Directory Specification.
struct UserFolders {
    let configuration: String
    let data: String

    init(_ environment: [String: String]) {
        func folder(_ variable: String, _ standard: String) -> String {
            if let path = environment[variable], path.hasPrefix("/") { return path }
            return (environment["HOME"] ?? NSHomeDirectory()) + standard
        }
        configuration = folder("XDG_CONFIG_HOME", "/.config")
        data = folder("XDG_DATA_HOME", "/.local/share")
    }
}

/// The hot keys of GNOME and of desktops with its settings.
struct DesktopKeys {
    private static let schema = "org.gnome.settings-daemon.plugins.media-keys"
    private static let path = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/voicegate/"

    private let gsettings: Tool

    /// - Returns: `nil` on another desktop.
    init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard environment["XDG_CURRENT_DESKTOP"]?.contains("GNOME") == true,
            let program = ProgramEnvironment.find("gsettings", in: environment["PATH"] ?? "/usr/bin:/bin")
        else { return nil }
        gsettings = Tool(path: program, environment: environment)
    }

    func bind(_ keys: String, to command: String) async throws {
        for (key, value) in [("name", "VoiceGate dictation"), ("command", command), ("binding", keys)] {
            try await call(["set", "\(Self.schema).custom-keybinding:\(Self.path)", key, value])
        }
        let present = try await bindings()
        if !present.contains(Self.path) { try await setBindings(present + [Self.path]) }
    }

    func unbind() async throws {
        try await setBindings(try await bindings().filter { $0 != Self.path })
        try await call(["reset-recursively", "\(Self.schema).custom-keybinding:\(Self.path)"])
    }

    private func bindings() async throws -> [String] {
        try await call(["get", Self.schema, "custom-keybindings"]).matches(of: /'([^']*)'/).map { String($0.1) }
    }

    private func setBindings(_ paths: [String]) async throws {
        let list = "[" + paths.map { "'\($0)'" }.joined(separator: ", ") + "]"
        try await call(["set", Self.schema, "custom-keybindings", list])
    }

    @discardableResult
    private func call(_ arguments: [String]) async throws -> String {
        let run = try await gsettings.run(arguments, ToolCall(complaints: .kept, limit: .seconds(10)))
        guard run.status == 0 else {
            throw CommandError(.missingTool, "gsettings \(arguments.joined(separator: " ")) failed: \(run.complaint)")
        }
        return run.output
    }
}
