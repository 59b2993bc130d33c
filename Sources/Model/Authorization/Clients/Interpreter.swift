/// A program that runs other code, and where its command line names that code.
///
/// Each interpreter has a table of the command lines that are understood: those that run the named file, and no other code
/// that they name before or after it. With any other the code is unknown, which is safe.
public struct Interpreter: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// A script, as the command line writes its path.
        case file(String)
        /// Standard input.
        case input
        /// Code in the command line itself, a module, or a word that is not understood.
        case unknown
    }

    /// `nil`: none of its command lines is understood.
    private let shape: CommandShape?

    /// - Parameter path: the program's; a version may follow its name.
    /// - Returns: `nil` if it is not a known interpreter.
    public init?(program path: String) {
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        // The kernel appends this to a program whose file was replaced.
        if name.hasSuffix(" (deleted)") { name.removeLast(" (deleted)".count) }
        let found = Self.shapes.first { known, _ in
            guard name.hasPrefix(known) else { return false }
            let version = name.dropFirst(known.count).drop { $0 == "-" || $0 == "." }
            return name.count == known.count || version.first?.isNumber == true
        }
        guard
            found != nil || Self.families.contains(where: name.hasPrefix) || Self.tools.contains(where: name.hasSuffix)
        else { return nil }
        shape = found?.value
    }

    public var isShell: Bool { shape?.isShell == true }

    /// - Parameter arguments: the whole command line, the program's name first.
    public func code(in arguments: [String]) -> Code { shape?.code(in: arguments) ?? .unknown }
}

/// The command lines of one interpreter that are understood.
struct CommandShape: Sendable, Hashable {
    /// Options without a value. Several may share a word, as in `-eu`.
    var letters = ""
    /// Options without a value that are a word each.
    var words: Set<String> = []
    /// The values of the option `o`, which may end a word of letters, as in `-euo pipefail`.
    var settings: Set<String> = []
    /// Options that a size follows in the same word, as in `-Xmx512m`.
    var sizes: [String] = []
    /// Without this letter the interpreter runs files of the user's first.
    var required: Character?
    /// The word that the script follows; `nil`: the script is the first word that is not an option.
    var introducer: String?
    /// Options may follow the script, so that the next word must not be one; and a name without a slash is searched for.
    var readsOn = false
    /// The words that end the options.
    var terminators: Set<String> = []
    /// Words in the place of the script that have another meaning.
    var commands: Set<String> = []
    /// It has an interactive mode, `-i`, a login mode, `-l` or a name that begins with `-`, and `-s` for standard input.
    var isShell = false

    func code(in arguments: [String]) -> Interpreter.Code {
        var rest = arguments.dropFirst()
        // Interactive and login shells run the user's files first.
        var isInteractive = isShell && arguments.first?.hasPrefix("-") == true
        var readsInput = false
        var given = ""
        while let word = rest.popFirst() {
            if word == introducer { return file(rest.popFirst(), before: rest.first) }
            if terminators.contains(word) {
                guard let operand = rest.popFirst() else { return introducer == nil ? .input : .unknown }
                return script(operand, isInteractive, readsInput, given)
            }
            if word == "-" { return introducer == nil ? .input : .unknown }
            if isShell, word == "--login" {
                isInteractive = true
            } else if isUnderstood(word) {
                continue
            } else if word.hasPrefix("-") || isShell && word.hasPrefix("+") {
                var group = word.dropFirst()
                if !settings.isEmpty, group.last == "o" {
                    guard let value = rest.popFirst(), settings.contains(value) else { return .unknown }
                    group.removeLast()
                }
                guard word.hasPrefix("-"), group.allSatisfy((isShell ? letters + "ils" : letters).contains) else {
                    return .unknown
                }
                given += group
                isInteractive = isInteractive || isShell && group.contains { "il".contains($0) }
                readsInput = readsInput || isShell && group.contains("s")
            } else {
                return script(word, isInteractive, readsInput, given)
            }
        }
        return introducer == nil ? .input : .unknown
    }

    private func isUnderstood(_ word: String) -> Bool {
        words.contains(word)
            || sizes.contains { size in
                let value = word.dropFirst(size.count)
                return word.hasPrefix(size) && !value.isEmpty
                    && value.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter) }
            }
    }

    private func script(
        _ name: String, _ isInteractive: Bool, _ readsInput: Bool, _ given: String
    ) -> Interpreter.Code {
        if readsInput { return .input }
        guard introducer == nil, !isInteractive, name != "-", !commands.contains(name),
            required.map(given.contains) ?? true
        else { return .unknown }
        return .file(name)
    }

    private func file(_ name: String?, before next: String?) -> Interpreter.Code {
        guard let name, name != "-" else { return .unknown }
        if readsOn {
            guard name.contains("/"), next.map({ !$0.hasPrefix("-") || $0 == "--" }) ?? true else { return .unknown }
        }
        return .file(name)
    }
}

extension Interpreter {
    /// The tables, by the name of the program. Options that run, load or search for other code are left out, and so are those
    /// that change which part of the script runs.
    /// Of programs of which Debian has one for each machine, toolkit or version.
    private static let families = ["emacs-", "qemu-", "valgrind.", "wine"]
    /// Of valgrind's tools, in which the program runs.
    private static let tools = ["-amd64-linux", "-arm64-linux"]

    private static let shapes: [String: CommandShape?] = {
        let settings: Set = [
            "allexport", "errexit", "noclobber", "noglob", "nounset", "pipefail", "verbose", "xtrace",
        ]
        let shell = CommandShape(
            letters: "abefmpuvxC", settings: settings, terminators: ["-", "--"], isShell: true)
        // As a login shell or interactively it reads files of the user, else only that of BASH_ENV.
        let bash = CommandShape(
            letters: "abefhmpruvxBCEPT", words: ["--noprofile", "--norc", "--posix", "--restricted", "--verbose"],
            settings: settings.union(["braceexpand", "errtrace", "functrace", "hashall", "physical", "posix"]),
            terminators: ["-", "--"], isShell: true)
        // Without -f zsh runs ~/.zshenv for each script, and fish without -N its configuration.
        let zsh = CommandShape(
            letters: "efuvx", settings: settings, required: "f", terminators: ["-", "--"], isShell: true)
        let fish = CommandShape(letters: "N", required: "N", terminators: ["--"], isShell: true)
        // Not -i, which reads standard input after the script, nor -x, -X and -W, which skip a line and import modules.
        let python = CommandShape(letters: "bBdEIOPqRsSuv", terminators: ["--"])
        // Not -S, which searches for the script, nor -n and -p, which run it once for each line, nor -s and -x.
        let perl = CommandShape(letters: "ftTUwWX", terminators: ["--"])
        let ruby = CommandShape(letters: "wU", words: ["-W0", "-W1", "-W2"], terminators: ["--"])
        let lua = CommandShape(words: ["-E", "-W"], terminators: ["--"])
        // The first word may be a subcommand of the interpreter: `node inspect evil.js`.
        let node = CommandShape(terminators: ["--"], commands: ["debug", "inspect"])
        // More programs may follow: `awk -f good.awk -f evil.awk`.
        let awk = CommandShape(introducer: "-f", readsOn: true)
        // A property (-D) can name code to load.
        let java = CommandShape(sizes: ["-Xms", "-Xmx", "-Xss"], introducer: "-jar")
        let plain = CommandShape()
        return [
            "sh": shell, "dash": shell, "ash": shell, "ksh": shell, "mksh": shell, "yash": shell,
            "bash": bash, "rbash": bash, "zsh": zsh,
            "python": python, "pypy": python, "perl": perl, "ruby": ruby, "lua": lua, "luajit": plain,
            "node": node, "nodejs": node, "awk": awk, "gawk": awk, "mawk": awk, "java": java,
            "php": plain, "tclsh": plain, "wish": plain, "gjs": plain, "gjs-console": plain,
            "fish": fish,
            // Runs a file of the user's before each script.
            "expect": nil,
            // Run what a file of the current folder, their input or their arguments name.
            "doas": nil, "entr": nil, "env": nil, "find": nil, "gmake": nil, "just": nil, "make": nil, "nice": nil,
            "ninja": nil, "nohup": nil, "parallel": nil, "setsid": nil, "stdbuf": nil, "sudo": nil, "time": nil,
            "timeout": nil, "watch": nil, "xargs": nil,
            "busybox": nil, "toybox": nil, "bun": nil, "deno": nil, "guile": nil, "R": nil,
            "beam.smp": nil, "clisp": nil, "ecl": nil, "emacs": nil, "erl": nil, "julia": nil, "mono": nil,
            "mono-sgen": nil, "octave": nil, "octave-cli": nil,
            "octave-gui": nil, "sbcl": nil,
            // Run another program and can change what it does.
            "gdb": nil, "gdbserver": nil, "lldb": nil, "ltrace": nil, "perf": nil, "rr": nil, "strace": nil,
            "valgrind": nil,
            "ld-linux": nil, "ld-linux-x86-64.so": nil, "ld-linux-aarch64.so": nil,
        ]
    }()
}
