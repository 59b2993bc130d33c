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
        var script = Checkout.root.appending(path: "Tests/Support/Tools/wyoming_engine.py").path
        var interpreter = try await PythonTools.interpreter()
        if !prefix.isEmpty {
            // Another user may not read this checkout: it may be in a private folder.
            chmod(folder.path, 0o777)
            try FileManager.default.copyItem(atPath: script, toPath: folder.path + "/engine.py")
            let packages = try await PythonTools.packages()
            // The package, and what pip writes about it.
            for name in try FileManager.default.contentsOfDirectory(atPath: packages) where name.hasPrefix("wyoming") {
                try FileManager.default.copyItem(atPath: packages + "/" + name, toPath: folder.path + "/" + name)
            }
            (interpreter, script) = ("/usr/bin/python3", folder.path + "/engine.py")
        }
        program = try RunningProgram(
            prefix + [interpreter, script, uri, behaviour, text], environment: ["PATH": "/usr/bin:/bin"],
            isForeground: false)
        try await program.line { $0 == "ready" }
    }

    /// What it was given, connection by connection, once that many are over.
    func heard(_ count: Int) async throws -> [Int] {
        try await program.shows("closed ", times: count)
        return program.lines.filter { $0.hasPrefix("closed") }.compactMap { Int($0.dropFirst("closed ".count)) }
    }
}
