import Foundation
import ProgramSupport
import TestSupport

/// A running engine of Tests/Support/Tools/wyoming_engine.py.
struct EngineProgram {
    let folder: TemporaryFolder
    let program: RunningProgram
    let uri: String

    var name: String { "wyoming:" + uri }

    init(_ behaviour: String, _ text: String = "", prefix: [String] = []) async throws {
        folder = try TemporaryFolder()
        uri = "unix://\(folder.path)/engine.sock"
        if !prefix.isEmpty { chmod(folder.path, 0o777) }
        program = try RunningProgram(
            prefix + [
                try await PythonTools.interpreter(),
                Checkout.root.appending(path: "Tests/Support/Tools/wyoming_engine.py").path, uri, behaviour, text,
            ], environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
        try await program.line { $0 == "ready" }
    }

    /// What it was given, connection by connection, once that many are over.
    func heard(_ count: Int) async throws -> [Int] {
        try await program.shows("closed ", times: count)
        return program.lines.filter { $0.hasPrefix("closed") }.compactMap { Int($0.dropFirst("closed ".count)) }
    }
}
