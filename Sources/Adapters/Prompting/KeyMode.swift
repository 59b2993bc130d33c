import CLinux
import Glibc

/// A terminal that hands over single keys unseen, put back as it was when this goes.
struct KeyMode: ~Copyable {
    private let terminal: Int32
    private var original: termios

    /// Discards what was typed before.
    ///
    /// - Parameter wake: gets a byte instead of SIGINT ending the process.
    init(terminal: Int32, wake: Int32) throws(PromptingError) {
        var present = termios()
        guard tcgetattr(terminal, &present) == 0 else {
            throw PromptingError(code: .notTerminal, message: "There is no terminal to ask at. Run this in one.")
        }
        // A background job that changed the terminal would be stopped, and should not ask anyway.
        let owner = tcgetpgrp(terminal)
        guard owner < 0 || owner == getpgrp() else {
            throw PromptingError(
                code: .notTerminal, message: "Another job has the terminal. Bring this one to the front.")
        }
        guard vg_terminal_guard_begin(terminal, &present, wake) == 0 else {
            throw PromptingError(code: .notTerminal, message: "A prompt is shown already. Answer that one first.")
        }
        var keys = present
        // Without signals, Ctrl-C is a key like others and nothing is left half-done.
        keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        withUnsafeMutableBytes(of: &keys.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        guard tcsetattr(terminal, TCSAFLUSH, &keys) == 0 else {
            vg_terminal_guard_end()
            throw PromptingError(code: .notTerminal, message: "The terminal does not hand over keys. Use another one.")
        }
        self.terminal = terminal
        self.original = present
    }

    deinit {
        var present = original
        // What was typed beyond the answer must not reach the shell.
        tcsetattr(terminal, TCSAFLUSH, &present)
        vg_terminal_guard_end()
    }
}
