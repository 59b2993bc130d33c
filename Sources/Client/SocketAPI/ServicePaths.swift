import Foundation

/// Where the service and its clients meet, and where the service keeps what it keeps, for one user.
///
/// Follows the XDG Base Directory Specification: a relative value of an `XDG_` variable is ignored.
public struct ServicePaths: Sendable, Hashable {
    /// The socket of the machine's own service, which serves all users (enforced mode). Root alone can put one there.
    public static let systemSocket = "/run/voicegate/voicegate.sock"

    /// Where clients look: `VOICEGATE_SOCKET` where that is an absolute path, else the machine's own service where there
    /// is one, else the user's own.
    public let socket: String
    /// `XDG_RUNTIME_DIR/voicegate/voicegate.sock`; without that variable `/run/user/UID/voicegate/voicegate.sock` where
    /// that directory is the user's own, else `/tmp/voicegate-UID/voicegate.sock`.
    public let ownSocket: String
    /// `XDG_STATE_HOME/voicegate`, else `~/.local/state/voicegate`.
    public let stateDirectory: String
    /// `XDG_CONFIG_HOME/voicegate`, else `~/.config/voicegate`.
    public let configurationDirectory: String

    /// What the service prints when the CLI has started it.
    public var log: String { stateDirectory + "/voicegated.log" }

    /// Where a service with this socket tells status bars what listens.
    public static func indicator(besideSocket socket: String) -> String {
        SocketPath.directory(of: socket) + "/indicator.json"
    }

    /// Where a service with this socket speaks Wyoming: `wyoming.sock` beside `voicegate.sock`, and beside a socket of
    /// another name `NAME.wyoming`, so that two services may share a folder.
    public static func wyoming(besideSocket socket: String) -> String {
        let folder = SocketPath.directory(of: socket)
        let name = socket.split(separator: "/").last.map(String.init) ?? ""
        return folder + "/" + (name == "voicegate.sock" ? "wyoming.sock" : name + ".wyoming")
    }

    /// The paths of this process's user.
    public init() {
        self.init(
            environment: ProcessInfo.processInfo.environment, user: getuid(), home: NSHomeDirectory(),
            hasSystemService: SocketPath.isRoots(Self.systemSocket)
        ) { path in
            PrivateDirectory.isPrivate(path, owner: getuid())
        }
    }

    /// - Parameters:
    ///   - home: used where the environment has no absolute `HOME`.
    ///   - hasSystemService: whether the machine's own service has its socket.
    ///   - isPrivate: whether a directory is there, is the user's own, and is open to nobody else.
    public init(
        environment: [String: String], user: UInt32, home: String, hasSystemService: Bool = false,
        isPrivate: (String) -> Bool
    ) {
        func directory(_ variable: String) -> String? {
            guard let value = environment[variable], value.hasPrefix("/") else { return nil }
            return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        }
        let home = directory("HOME") ?? home
        stateDirectory = (directory("XDG_STATE_HOME") ?? home + "/.local/state") + "/voicegate"
        configurationDirectory = (directory("XDG_CONFIG_HOME") ?? home + "/.config") + "/voicegate"
        let systemRuntime = "/run/user/\(user)"
        if let runtime = directory("XDG_RUNTIME_DIR") {
            ownSocket = runtime + "/voicegate/voicegate.sock"
        } else if isPrivate(systemRuntime) {
            ownSocket = systemRuntime + "/voicegate/voicegate.sock"
        } else {
            ownSocket = "/tmp/voicegate-\(user)/voicegate.sock"
        }
        socket = directory("VOICEGATE_SOCKET") ?? (hasSystemService ? Self.systemSocket : ownSocket)
    }
}
