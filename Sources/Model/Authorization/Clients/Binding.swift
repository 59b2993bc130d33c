/// What a caller must be for a manifest to speak for it.
public enum Binding: Sendable, Hashable {
    /// The program in `CFBundleExecutable`.
    case executable
    /// The script in `VoiceGateScript`, run by the interpreter in `CFBundleExecutable`.
    case script(String)
    /// `VoiceGateFlatpakID`
    case flatpak(String)
    /// `VoiceGateSnap`
    case snap(String)
    /// `VoiceGateSystemdUnit`, running the program in `CFBundleExecutable` and, where named, the script in
    /// `VoiceGateScript`.
    case unit(SystemdUnit, script: String?)
}
