import Foundation

/// The built programs, beside the test bundle, and what Debian brings.
public enum Programs {
    public static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .path

    public static var service: String { folder + "/voicegated" }
    public static var commandLine: String { folder + "/voicegate" }
    public static let curl = "/usr/bin/curl"

    /// Whether every user may run them; not in a checkout in a private folder.
    public static var areForEveryone: Bool {
        var folder = URL(fileURLWithPath: folder)
        while true {
            var status = stat()
            guard stat(folder.path, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
            if folder.path == "/" { return true }
            folder.deleteLastPathComponent()
        }
    }

    /// Human speech of Debian's pocketsphinx-testdata.
    public static let speech = "/usr/share/pocketsphinx/test/data"
    public static var goForward: String { speech + "/goforward.raw" }
    public static func librivox(_ number: String) -> String {
        speech + "/librivox/sense_and_sensibility_01_austen_64kb-\(number).wav"
    }
}
