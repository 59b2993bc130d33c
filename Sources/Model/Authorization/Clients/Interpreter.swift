/// A program that runs other code, and where its command line names that code.
///
/// Only options that are known not to change what runs are accepted; with any other the code is unknown, which is safe.
public struct Interpreter: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// A script, as the command line writes its path.
        case file(String)
        /// Standard input.
        case input
        /// Code in the command line itself, a module, or an unknown option.
        case unknown
    }

    private enum Family: Hashable {
        case shell, python, perl, ruby, java
        /// The first word is the script.
        case plain
        /// Its command lines are not parsed.
        case opaque
    }

    private static let families: [String: Family] = [
        "sh": .shell, "bash": .shell, "dash": .shell, "rbash": .shell, "ash": .shell, "ksh": .shell, "mksh": .shell,
        "zsh": .shell, "yash": .shell, "python": .python, "pypy": .python, "perl": .perl, "ruby": .ruby, "java": .java,
        "fish": .plain, "node": .plain, "nodejs": .plain, "lua": .plain, "luajit": .plain, "php": .plain,
        "tclsh": .plain, "wish": .plain, "expect": .plain, "gjs": .plain, "awk": .opaque, "gawk": .opaque,
        "mawk": .opaque, "busybox": .opaque, "toybox": .opaque, "bun": .opaque, "deno": .opaque, "guile": .opaque,
        "R": .opaque, "ld-linux": .opaque, "ld-linux-x86-64.so": .opaque, "ld-linux-aarch64.so": .opaque,
    ]

    private let family: Family

    /// - Parameter path: the program's; a version may follow its name.
    /// - Returns: `nil` if it is not a known interpreter.
    public init?(program path: String) {
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        // The kernel appends this to a program whose file was replaced.
        if name.hasSuffix(" (deleted)") { name.removeLast(" (deleted)".count) }
        let family = Self.families.first { known, _ in
            guard name.hasPrefix(known) else { return false }
            let version = name.dropFirst(known.count).drop { $0 == "-" || $0 == "." }
            return name.count == known.count || version.first?.isNumber == true
        }
        guard let family = family?.value else { return nil }
        self.family = family
    }

    public var isShell: Bool { family == .shell }

    /// - Parameter arguments: the whole command line, the program's name first.
    public func code(in arguments: [String]) -> Code {
        let words = arguments.dropFirst()
        switch family {
        case .shell: return Self.shellCode(words)
        case .python: return Self.code(words, flags: "bBdEiIOPqRsSuvx")
        case .perl: return Self.code(words, flags: "aslnptTUwWX")
        case .ruby: return Self.code(words, flags: "wvU")
        case .plain: return Self.code(words, flags: "")
        case .java: return Self.javaCode(words)
        case .opaque: return .unknown
        }
    }

    /// Single-letter options without values, then the script.
    private static func code(_ words: ArraySlice<String>, flags: String) -> Code {
        for word in words {
            if word == "-" { return .input }
            guard word.hasPrefix("-") else { return .file(word) }
            guard word.dropFirst().allSatisfy(flags.contains) else { return .unknown }
        }
        return .input
    }

    private static func shellCode(_ words: ArraySlice<String>) -> Code {
        var rest = words
        var readsInput = false
        while let word = rest.popFirst() {
            if word == "--" || word == "-" {
                guard let operand = rest.first, !readsInput else { return .input }
                return .file(operand)
            }
            if word.hasPrefix("--") {
                guard ["--norc", "--noprofile", "--posix", "--login", "--restricted"].contains(word) else {
                    return .unknown
                }
            } else if word.hasPrefix("-") || word.hasPrefix("+") {
                let letters = word.dropFirst()
                guard letters.allSatisfy("abefhiklmnoprstuvxBCEHOPT".contains) else { return .unknown }
                readsInput = readsInput || letters.contains("s")
                rest = rest.dropFirst(letters.count { $0 == "o" || $0 == "O" })
            } else {
                return readsInput ? .input : .file(word)
            }
        }
        return .input
    }

    private static func javaCode(_ words: ArraySlice<String>) -> Code {
        let harmless = ["-D", "-Xms", "-Xmx", "-Xss"]
        let rest = words.drop { word in harmless.contains { word.hasPrefix($0) } }
        guard rest.first == "-jar", let archive = rest.dropFirst().first else { return .unknown }
        return .file(archive)
    }
}
