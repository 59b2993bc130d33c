import Testing

/// What the test program runs: Swift Testing's tests. SwiftPM's own program looks for XCTest's too, and for that the compiler
/// writes an index of every module.
@main
struct TestProgram {
    static func main() async {
        // `swift test` starts the program once for each library.
        if CommandLine.arguments.contains("xctest") { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
