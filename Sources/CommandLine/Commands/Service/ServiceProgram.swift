import Foundation

/// Where the service's program is.
enum ServiceProgram {
    private static let name = "voicegated"

    /// The one beside this program, else the first in PATH.
    static func find(
        ownFolder: String? = ownFolder(), path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws -> String {
        let folders = [ownFolder].compactMap { $0 } + (path ?? "").split(separator: ":").map(String.init)
        // A relative folder of PATH would start whatever the current directory holds.
        for folder in folders where folder.hasPrefix("/") {
            let candidate = folder + "/" + name
            if access(candidate, X_OK) == 0 { return candidate }
        }
        throw CommandError(
            .cannotStart, .unavailable,
            "The VoiceGate service does not run, and \(name) is neither beside this program nor in PATH. "
                + "Install VoiceGate as a whole.")
    }

    /// By the kernel's word, so that a link to the program finds the service too.
    static func ownFolder() -> String? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        return (program as NSString).deletingLastPathComponent
    }
}
