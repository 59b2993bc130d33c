import Foundation

/// The built programs, beside the test bundle, and what Debian brings.
enum Programs {
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .path

    static var service: String { folder + "/voicegated" }
    static var commandLine: String { folder + "/voicegate" }
    static let curl = "/usr/bin/curl"

    /// Human speech of Debian's pocketsphinx-testdata.
    static let speech = "/usr/share/pocketsphinx/test/data"
    static var goForward: String { speech + "/goforward.raw" }
    static func librivox(_ number: String) -> String {
        speech + "/librivox/sense_and_sensibility_01_austen_64kb-\(number).wav"
    }
}
