/// What tells which program a caller is, the best there is. Nothing here is the caller's claim.
public enum Evidence: Sendable, Hashable {
    /// It runs in the sandbox of this Flatpak application; who may be in there is Flatpak's to decide.
    case flatpak(String)
    /// It runs as part of this snap.
    case snap(String)
    /// It runs a script, which `Caller.executable` then is.
    case script(interpreter: Executable)
    /// It runs an interpreter on code that is no file to be shown: `-c`, a module, standard input.
    case interpreter
    /// It runs the program that `Caller.executable` is.
    case executable
    /// What there is contradicts itself or cannot be read, so that nothing is believed. The text is a sentence that says
    /// why, and what to do. Every request is refused.
    case untrusted(String)

    /// For records.
    public var kind: String {
        switch self {
        case .flatpak: "flatpak"
        case .snap: "snap"
        case .script: "script"
        case .interpreter: "interpreter"
        case .executable: "executable"
        case .untrusted: "untrusted"
        }
    }
}
