import Foundation

/// Programs as processes.
enum Command {
    static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL.path

    static func verifyInPython(_ bundle: String) async throws -> (status: Int32, text: String, messages: String) {
        try await run([
            "/bin/sh", "-c",
            #"exec "$("$0/Tests/Support/Tools/setup-python")" -B "$0/Documentation/verify/verify.py" "$1""#,
            checkout, bundle,
        ])
    }

    static func run(_ command: [String]) async throws -> (status: Int32, text: String, messages: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "voicegate-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try ["out", "err"].map { name in
            let path = folder.path + "/" + name
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            return (path: path, handle: try FileHandle(forWritingTo: URL(filePath: path)))
        }
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (files[0].handle, files[1].handle)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            end.yield($0.terminationStatus)
            end.finish()
        }
        try process.run()
        var status: Int32 = -1
        for await ended in ends { status = ended }
        return (
            status, try String(contentsOfFile: files[0].path, encoding: .utf8),
            try String(contentsOfFile: files[1].path, encoding: .utf8)
        )
    }
}
