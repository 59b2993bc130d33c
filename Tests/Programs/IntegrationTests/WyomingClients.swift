import Foundation
import ProgramSupport
import TestSupport

/// Scripts that speak Wyoming with a service, each a client by its own manifest.
struct WyomingClients {
    let service: ServiceUnderTest
    let python: String

    init(_ service: ServiceUnderTest) async throws {
        self.service = service
        python = try await PythonTools.interpreter()
    }

    var socket: String { URL(fileURLWithPath: service.socket).deletingLastPathComponent().path + "/wyoming.sock" }

    /// Makes a script of this checkout a client.
    func register(_ script: String, name: String, keys: String = "") throws -> String {
        let code = try String(contentsOf: Checkout.root.appending(path: script), encoding: .utf8)
        return try service.registerScript(code, name: name, keys: keys)
    }

    func run(_ script: String, _ arguments: [String], isForeground: Bool = true) throws -> RunningProgram {
        try RunningProgram([python, script] + arguments, environment: service.environment, isForeground: isForeground)
    }
}
