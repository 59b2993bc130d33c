import Foundation
import ProgramSupport
import TestSupport
import Testing

/// A headless Chromium that looks at a page.
struct Browser {
    static let program = "/usr/bin/chromium"

    let folder: TemporaryFolder

    init() throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.program), "Chromium is missing: Scripts/setup test")
        folder = try TemporaryFolder()
    }

    /// The page's document after everything in it was done.
    func document(of page: String, width: Int = 1280) async throws -> String {
        try await run(page, ["--window-size=\(width),900", "--dump-dom"]).joined(separator: "\n")
    }

    /// - Parameter page: a file's path.
    func run(_ page: String, _ options: [String]) async throws -> [String] {
        // Its sandbox needs user namespaces, which containers lack; the pages are our own.
        let arguments = [
            Self.program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
            "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)/profile",
        ]
        let program = try RunningProgram(
            arguments + options + ["file://\(page)"],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], isForeground: false)
        try program.closeInput()
        let status = await program.end()
        try #require(status == 0, "\(program.errorText)")
        return program.lines
    }
}
