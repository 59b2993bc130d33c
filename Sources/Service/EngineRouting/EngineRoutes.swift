import Authorization
import Dispatch
import Engines
import Foundation
import Hummingbird
import LinuxSystem
import Server
import SocketAPI
import Speech

/// `/v1/engines`: lists engines, takes one that `voicegate engine install` has prepared, chooses and removes.
package struct EngineRoutes {
    private let engines: EngineService
    private let model: String
    private let configured: String?

    /// - Parameters:
    ///   - model: the folder of the model that PocketSphinx loads.
    ///   - configured: the engine that config.yaml names.
    package init(engines: EngineService, model: String, configured: String?) {
        (self.engines, self.model, self.configured) = (engines, model, configured)
    }

    private var library: EngineLibrary { engines.library }

    package func add(to routes: Routes) {
        let refusal = "Engines are for you, by VoiceGate's own command. Run  voicegate engine list  at a terminal."
        let manager = RouteAccess.person(
            refusal, inBackground: .onlyInForeground("change engines"),
            toOthers: "These engines are those of all users, and are changed by root.")
        routes.on(.get, "engines", for: .commandLine(refusal)) { _ in try Response(json: try await list()) }
        routes.on(.post, "engines", for: manager, taking: EngineRequest.self, use: take)
        routes.on(.put, "engines/use", for: manager, taking: EngineUse.self, use: use)
        routes.on(.delete, "engines/:engine", for: manager, use: remove)
    }

    private func list() async throws -> EngineListReply {
        let table = engines.router.table
        return EngineListReply(
            engines: await EngineService.queue.run { library.replies(table, model: model) }, configured: configured)
    }

    private func reply(on id: String) async throws -> EngineReply {
        guard let reply = try await list().engines.first(where: { $0.id == id }) else {
            throw RouteError(
                .notFound, "There is no engine \(id.prefix(80)). voicegate engine list shows the known ones.")
        }
        return reply
    }

    private func take(_ body: EngineRequest, _ call: Call) async throws -> Response {
        guard body.folder.hasPrefix("/") else {
            throw RouteError(.invalidValue, "folder is the absolute path of an engine's folder.")
        }
        let engine = try await engines.add(body.folder)
        return try Response(json: try await reply(on: engine.entry.id))
    }

    private func use(_ body: EngineUse, _ call: Call) async throws -> Response {
        let engine = try await reply(on: body.id)
        switch engine.state {
        case .builtIn, .installed: break
        case .damaged where engine.id == EngineEntry.builtIn:
            try await EngineService.queue.run { try library.check(model: model) }
        case .damaged: try await EngineService.queue.run { _ = try library.verified(body.id) }
        case .available, .unavailable:
            throw RouteError(
                .notFound, "The engine \(body.id) is not installed. First:  voicegate engine install \(body.id)")
        }
        if let task = body.task, !engine.tasks.contains(task) {
            let words = engine.tasks.map(\.rawValue).joined(separator: ", ")
            throw RouteError(.invalidValue, "The engine \(body.id) cannot do \(task.rawValue), only \(words).")
        }
        try await engines.use(body.id, for: body.task.map { [$0] } ?? engine.tasks, by: call.user)
        return try Response(json: try await reply(on: body.id))
    }

    private func remove(_ call: Call) async throws -> Response {
        let id = try call.parameter("engine")
        try await engines.remove(id)
        return Response(status: .noContent)
    }
}

extension EngineLibrary {
    /// The built-in engine with the model that it loads, the catalogue's, and the other installed ones.
    func replies(_ table: EngineTable, model: String) -> [EngineReply] {
        let installed = installed()
        let others = installed.filter { catalogue.entry($0.entry.id) == nil }.map(\.entry)
        return (catalogue.engines + others).map { entry in
            reply(on: entry, installed: installed.first { $0.entry.id == entry.id }, table, model: model)
        }
    }

    private func reply(
        on listed: EngineEntry, installed: InstalledEngine?, _ table: EngineTable, model: String
    ) -> EngineReply {
        // The installed version may be older than the catalogue's.
        let entry = installed?.entry ?? listed
        var state: EngineReply.State = entry.isAvailable(on: architecture) ? .available : .unavailable
        var faults: [String] = []
        var (folder, source, languages) = (installed?.folder, entry.source, entry.languages)
        if entry.id == EngineEntry.builtIn {
            let loaded = self.entry(ofModel: model)
            (folder, source, languages) = (model, loaded?.source, loaded?.languages ?? [])
            faults = problem(ofModel: model).map { [$0] } ?? []
            state = faults.isEmpty ? .builtIn : .damaged
        } else if installed != nil {
            faults = (try? self.faults(of: entry.id).map(\.description)) ?? ["its folder cannot be read"]
            state = faults.isEmpty ? .installed : .damaged
        }
        return EngineReply(
            id: entry.id, name: entry.name, version: entry.version, description: entry.description,
            languages: languages, tasks: entry.uses,
            options: entry.recognitionOptions.sorted { $0.rawValue < $1.rawValue },
            codeLicences: entry.licences.code,
            weightsLicence: entry.licences.weights, isFree: entry.free,
            download: entry.downloadBytes(for: architecture),
            size: entry.installedBytes(for: architecture), memory: entry.memory,
            measured: (entry.measured ?? []).map { .init(set: $0.set, errors: $0.errors, cpu: $0.cpu) }, state: state,
            faults: faults, digest: installed?.digest, source: source, folder: folder,
            usedFor: table.uses(of: entry.id))
    }

    /// Why PocketSphinx cannot load a model, with what to do.
    private func problem(ofModel folder: String) -> String? {
        do {
            try check(model: folder)
            _ = try VerifiedFolder(folder)
            return nil
        } catch  where error.code == .absent {
            let package = catalogue.model.flatMap { $0.folder == folder ? $0.package : nil }
            return "The model in \(folder) is not installed."
                + (package.map { " Install it:  sudo apt-get install \($0)" } ?? " Set model in config.yaml to another.")
        } catch {
            return error.message
        }
    }
}
