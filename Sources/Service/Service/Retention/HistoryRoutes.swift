import Authorization
import Foundation
import Hummingbird
import Retention
import SocketAPI

/// `/v1/history`: what is kept, for the person whose it is and for nobody else.
struct HistoryRoutes {
    let clients: ClientResolver
    let gate: Gate
    let items: ItemStore

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("history", use: list)
        group.get("history/keeping", use: keeping)
        group.get("history/items/:item", use: content)
        group.delete("history", use: erase)
    }

    /// NDJSON of `HistoryEntry`, oldest first; `client`, `since` (ISO 8601), `texts=true` for those of transcripts.
    private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        let query = request.uri.queryParameters
        var selection = ItemSelection(client: try client(request), user: user)
        if let text = query["since"].map(String.init) {
            guard let since = try? Date(text, strategy: .iso8601) else {
                throw RouteError(.invalidValue, "since is a time in ISO 8601, such as 2026-11-21T10:00:00Z.")
            }
            selection.since = since
        }
        let texts = try request.isSet("texts")
        return Response(
            lines: HistoryEntries(
                kept: try await items.items(selection), manifests: await clients.manifests(of: user),
                texts: texts ? items : nil))
    }

    private func keeping(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        var declaring: [KeepingReply.Client] = []
        for (client, manifest) in await clients.manifests(of: user).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let declared = manifest.practices.kept
            guard !declared.isEmpty else { continue }
            var agreed = declared
            for resource in Resource.allCases where manifest.usageDescriptions[resource] != nil {
                let key = DecisionKey(user: user, client: client, resource: resource)
                agreed = agreed.limited(by: await gate.settled(key).decision?.terms?.kept ?? [:])
            }
            declaring.append(
                KeepingReply.Client(
                    client: client.rawValue, name: manifest.name, declared: Self.words(declared),
                    agreed: Self.words(agreed)))
        }
        return try Response(json: KeepingReply(clients: declaring))
    }

    /// The data of an item: a recording as WAV, a transcript as NDJSON of `KeptUtterance`.
    private func content(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        let content = try await items.open(try context.parameters.require("item"), user: user)
        let isSound = content.item.kind == .recording
        return Response(
            status: .ok,
            headers: [.contentType: isSound ? "audio/wav" : "application/x-ndjson", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                if isSound { try await writer.write(ByteBuffer(bytes: WaveHeader.bytes(ofData: content.item.bytes))) }
                for try await chunk in content { try await writer.write(ByteBuffer(bytes: chunk)) }
                try await writer.finish(nil)
            })
    }

    /// `items` (identifiers with commas between), `client`, or `all=true`.
    private func erase(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let user = try await person(context)
        var selection = ItemSelection(client: try client(request), user: user)
        if let words = request.uri.queryParameters["items"] {
            selection.identifiers = Set(words.split(separator: ",").map(String.init))
        }
        let isAll = try request.isSet("all")
        guard selection.identifiers != nil || selection.client != nil || isAll else {
            throw RouteError(.invalidValue, "Say what is to be erased: items, client or all=true.")
        }
        if let identifiers = selection.identifiers {
            let known = Set(try await items.items(selection).map(\.identifier))
            if let unknown = identifiers.subtracting(known).min() {
                throw RouteError(
                    .notFound,
                    "Nothing is kept as \(unknown.prefix(40)), so nothing was erased. It may be gone already.")
            }
        }
        return try Response(json: ErasureReply(erased: try await items.erase(selection, for: .requested)))
    }

    /// Not even a client whose data it is: it got its copy when it was heard, and what is kept is for the person.
    private func person(_ context: ServiceContext) async throws -> UInt32 {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed,
                "What is kept is shown to the person alone. Run voicegate history yourself at a terminal.")
        }
        return requester.caller.user
    }

    private func client(_ request: Request) throws -> ClientIdentifier? {
        guard let text = request.uri.queryParameters["client"].map(String.init) else { return nil }
        guard let client = ClientIdentifier(rawValue: text) else {
            throw RouteError(.invalidValue, "client is a bundle identifier, such as org.example.Editor.")
        }
        return client
    }

    private static func words(_ times: KeepingTimes) -> [String: KeepingTime] {
        times.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }
}
