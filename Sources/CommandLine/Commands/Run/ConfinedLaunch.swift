import CLinux
import Foundation
import LinuxSystem

/// Becomes another program without a network.
///
/// Only a process with one thread can have a user namespace, and a command has more. So this program begins anew, with a
/// first argument that no command has, and confines itself before it does anything else.
public struct ConfinedLaunch {
    private static let word = "--confined-launch"

    let socket: String
    let program: String
    let arguments: [String]

    /// Returns only by an error.
    func begin() throws(CommandError) {
        try ProgramReplacement.become(
            "/proc/self/exe", arguments: ["voicegate", Self.word, socket, program] + arguments)
    }

    /// Goes on where `begin` began anew; returns at once in every other process. To be called first of all, before there
    /// is a second thread.
    public static func continueIfBegun() {
        let words = CommandLine.arguments
        guard words.count > 4, words[1] == word else { return }
        do {
            try ConfinedLaunch(socket: words[2], program: words[3], arguments: Array(words[4...])).finish()
        } catch {
            Output(isQuiet: false, isJSON: false).warn(error.message)
            exit(error.status.rawValue)
        }
    }

    private func finish() throws(CommandError) {
        do {
            try Confinement(socket: socket, runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
                .enter()
        } catch {
            throw CommandError(.cannotConfine, .unavailable, error.message)
        }
        guard access(program, X_OK) == 0 else {
            throw CommandError(
                .noInput, .noInput,
                "\(program) lies in a folder that is covered for a program without a network. Put it elsewhere.")
        }
        try ProgramReplacement.become(program, arguments: arguments)
    }
}
