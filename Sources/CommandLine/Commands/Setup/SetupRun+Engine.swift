import CommandClient
import Engines
import Foundation
import SocketAPI
import Speech

import enum LinuxSystem.DiskSpace

extension SetupRun {
    mutating func setUpEngine() async throws {
        let client = try await context.client()
        let id = try choices.engine ?? Self.usualEngine()
        let list = try await client.engines()
        if list.isUsed(id) { return output.note(text.engineUsed(engine: id)) }
        if let configured = list.configured {
            return output.note(text.engineConfigured(engine: configured))
        }
        if !list.engines.contains(where: { $0.id == id && $0.state == .installed }) {
            guard try await agrees(downloadQuestion(id, list), isUsual: true) else { return }
            _ = try await EngineInstallCommand.parse([id]).install(context, client)
            try note(.engineInstalled(id: id))
        } else {
            guard try await agrees(text.useEngine(engine: id), isUsual: true) else { return }
        }
        let previous = list.engines.first { !$0.usedFor.isEmpty }?.id
        _ = try await client.useEngine(id, for: nil)
        try note(.engineUsed(id: id, previous: previous))
        output.note(text.engineChosen(engine: id))
    }

    private func downloadQuestion(_ id: String, _ list: EngineListReply) -> String {
        guard let engine = list.engines.first(where: { $0.id == id }), engine.download > 0 else {
            return text.installEngine(engine: id)
        }
        let size = DiskSpace.megabytes(engine.download)
        return EngineCommand.comparison(engine.measured, list.engines).map {
            text.downloadBetterEngine(builtIn: $0.builtIn, engine: id, size: size, errors: $0.errors)
        } ?? text.downloadEngine(engine: id, size: size)
    }
}

extension SetupRun {
    /// The catalogue's for the language of the locale.
    private static func usualEngine() throws -> String {
        let engines = try EngineCatalogue.builtIn().installable(on: Machine.architecture, without: [String]())
        let spoken = SpokenLanguage.ofLocale(in: ProcessInfo.processInfo.environment)?.code
        return spoken.flatMap { engines[$0] } ?? "moonshine-tiny-en"
    }
}

extension EngineListReply {
    func isUsed(_ id: String) -> Bool { engines.contains { $0.id == id && !$0.usedFor.isEmpty } }
}
