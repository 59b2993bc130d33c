import CLinux
import Foundation

/// Becomes another program, in the same process: its job, its terminal and its exit status are this one's.
enum ProgramReplacement {
    /// Returns only by an error. Descriptors above the standard three are closed before.
    static func become(_ program: String, arguments: [String]) throws(CommandError) {
        // Not closed at once: threads of this program use them until there is another one.
        for number in [vg_reset_signals(), vg_close_from_on_exec(3)] where number != 0 {
            throw failed(program, number)
        }
        CStrings.with(arguments) { _ = execv(program, $0) }
        throw failed(program, errno)
    }

    private static func failed(_ program: String, _ number: CInt) -> CommandError {
        CommandError(
            .cannotStart, .unavailable, "\(program) cannot be started: \(String(cString: strerror(number))).")
    }
}
