/// Why a command did not do what it was asked, where the service is not the one that says so.
struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// A file is missing or cannot be read.
        case noInput
        /// A manifest that cannot be used as it is.
        case badManifest
        /// Standard output or a file cannot be written; the disk may be full.
        case cannotWrite
        /// Prompts cannot be shown here.
        case cannotAsk
        /// The command is not the client that it is to be started as.
        case notThisClient
        /// A program's network could not be taken away.
        case cannotConfine
        /// The service, or the program to run, could not be started.
        case cannotStart
        /// The service was stopped while it was needed.
        case serviceEnded
        /// Ctrl-C or another signal.
        case interrupted
        /// Records, a checkpoint or a bundle are not what was signed.
        case doesNotVerify
        /// A checkpoint did not leave this machine.
        case notPublished
        /// No program is there that could do what was asked, or none that may do it here.
        case missingTool
        /// A program that was to take the text failed.
        case cannotDeliver
        /// A profile that cannot be used as it is.
        case badProfile
        /// No dictation runs that could be steered, or one runs already.
        case noDictation, dictationRuns
        /// The session or a file ended badly; the person has been told already.
        case alreadyTold
    }

    let code: Code
    let message: String
    let status: ExitStatus

    init(_ code: Code, _ status: ExitStatus, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    static let interrupted = CommandError(.interrupted, .interrupted, "Interrupted.")

    static let serviceEnded = CommandError(
        .serviceEnded, .unavailable, "The service has ended. The same command again starts it.")

    static func alreadyTold(_ status: ExitStatus) -> CommandError { CommandError(.alreadyTold, status, "") }

    var isReported: Bool { code == .alreadyTold || code == .interrupted }
    var description: String { message }
}
