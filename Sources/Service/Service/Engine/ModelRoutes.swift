import Dispatch
import Foundation
import Hummingbird
import LinuxSystem
import SocketAPI
import Speech
import SpeechModels

/// `/v1/speech-models`: lists and verifies models, adds and removes the user's own.
struct ModelRoutes {
    let library: ModelLibrary
    /// The folder that PocketSphinx loads.
    let used: String
    /// What the engine in config.yaml loads, if that is a model of this library.
    let usedByEngine: String?
    /// Loads a model in a recogniser of its own, or throws why that fails.
    let trial: @Sendable (_ folder: String) async throws -> Void

    /// Reading tens of megabytes would block the shared threads.
    private static let queue = DispatchQueue(label: "io.voicegate.models")

    func add(to routes: Routes) {
        let refusal = "Models are for you, by VoiceGate's own command. Run  voicegate models  at a terminal."
        let manager = RouteAccess.person(
            refusal, toOthers: "These models are those of all users, and are changed by root.")
        routes.on(.get, "speech-models", for: .commandLine(refusal)) { _ in
            try Response(json: ModelListReply(models: try await Self.queue.run { try library.replies(using: used) }))
        }
        routes.on(.post, "speech-models", for: manager, use: take)
        routes.on(.post, "speech-models/verify", for: .commandLine(refusal), use: verify)
        routes.on(.delete, "speech-models/:model", for: manager, use: remove)
    }

    private func verify(_ call: Call) async throws -> Response {
        let body = try await call.request.json(ModelRequest.self)
        return try Response(
            json: try await Self.queue.run {
                let folder = try body.folder.map { try library.folder(of: $0) } ?? used
                return try library.reply(on: folder, using: used)
            })
    }

    private func take(_ call: Call) async throws -> Response {
        let body = try await call.request.json(ModelRequest.self)
        guard let folder = body.folder, folder.hasPrefix("/") else {
            throw RouteError(.invalidValue, "folder is the absolute path of a model's folder.")
        }
        let model = try await library.add(folder, id: body.id, trial: trial)
        return try Response(
            json: try await Self.queue.run { try library.reply(on: try library.folder(of: model.id), using: used) })
    }

    private func remove(_ call: Call) async throws -> Response {
        let id = try call.parameter("model")
        let loaded = Set([used, usedByEngine].compactMap { $0 })
        try await Self.queue.run { try library.remove(id, loaded: loaded) }
        return Response(status: .noContent)
    }
}

extension ModelLibrary {
    func checkForRecognizer(_ folder: String) throws(RecognitionError) {
        do throws(VerifiedFolderError) {
            try check(folder)
        } catch {
            throw RecognitionError(code: .modelUnavailable, message: error.message)
        }
    }

    /// The catalogue's models, the added ones, and the used one if it is neither.
    func replies(using used: String) throws(VerifiedFolderError) -> [ModelReply] {
        var replies: [ModelReply] = []
        for entry in catalogue.models { replies.append(try reply(on: entry.folder, using: used, entry: entry)) }
        for model in added() { replies.append(try reply(on: try folder(of: model.id), using: used)) }
        if !replies.contains(where: \.isUsed) { replies.append(try reply(on: used, using: used)) }
        return replies
    }

    /// - Parameters:
    ///   - folder: `nil`: the model is not installed.
    ///   - entry: the model that the folder should have.
    func reply(
        on folder: String?, using used: String, entry: CatalogueEntry? = nil
    ) throws(VerifiedFolderError) -> ModelReply {
        let state: ModelState = if let folder { try state(of: folder) } else { .absent }
        let (id, word, faults): (String?, ModelReply.State, [FileFault]) =
            switch state {
            case .verified(let id): (id, .verified, [])
            case .damaged(let id, let faults): (id, .damaged, faults)
            case .unknown: (nil, .unknown, [])
            case .absent: (nil, .absent, [])
            }
        let entry = entry ?? id.flatMap(catalogue.entry)
        let origin = entry == nil ? added().first { $0.id == id }?.origin : nil
        return ModelReply(
            id: entry?.id ?? id, language: entry?.language, name: entry?.name, description: entry?.description,
            source: entry?.source ?? origin.map { "added from \($0)" }, package: entry?.package,
            licence: entry?.licence, folder: folder, state: word, faults: faults.map(\.description),
            isUsed: folder == used)
    }
}
