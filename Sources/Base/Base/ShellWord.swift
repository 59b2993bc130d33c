/// A word of a command that the user copies into a shell.
public enum ShellWord {
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/._-+:@%,=".utf8.contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}
