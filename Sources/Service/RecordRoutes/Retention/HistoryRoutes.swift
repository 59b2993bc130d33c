import Authorization
import Foundation
import Hummingbird
import Retention
import Server
import SocketAPI
import Speech

/// `/v1/history`: what is kept, only for the user whose it is.
struct HistoryRoutes {
    let gate: Gate
    let items: ItemStore

    func add(to routes: Routes) {
        // Not even for a client whose data it is: that client received its copy at the time.
        let refusal = "Kept data is shown only to you. Run voicegate history yourself at a terminal."
        let person = RouteAccess.person(refusal)
        routes.on(.get, "history", for: person.streaming, use: list)
        routes.on(.get, "history/keeping", for: person, use: keeping)
        routes.on(.get, "history/items/:item", for: person, use: content)
        routes.on(
            .delete, "history",
            for: .person(refusal, inBackground: .onlyInForeground("erase what is kept")),
            confirming: {
                let selection = try selection($0)
                return .eraseKept(client: selection.client, items: selection.identifiers?.sorted())
            }, use: erase)
    }

    /// NDJSON of `HistoryEntry`, oldest first. Query: `client`, `since` and `until` (ISO 8601), `texts=true` for the texts of transcripts.
    private func list(_ call: Call) async throws -> Response {
        var selection = ItemSelection(client: try call.request.client(), user: call.user)
        selection.since = try call.request.time("since")
        selection.before = try call.request.time("until")
        let texts = try call.request.isSet("texts")
        let (kept, manifests) = (try await items.items(selection), await call.clients.manifests(of: call.user))
        let listed = AsyncStream { continuation in
            for item in kept { continuation.yield(item) }
            continuation.finish()
        }
        // Each is read when it is sent.
        return Response(
            lines: listed.map { [items] item in
                await HistoryEntry(
                    item, manifest: manifests[item.client], text: texts && item.kind == .transcript ? items : nil)
            })
    }

    private func keeping(_ call: Call) async throws -> Response {
        var declaring: [KeepingReply.Client] = []
        for (client, manifest) in await call.clients.manifests(of: call.user).sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            let declared = manifest.practices.kept
            guard !declared.isEmpty else { continue }
            var agreed = declared
            for resource in Resource.allCases where manifest.usageDescriptions[resource] != nil {
                let key = DecisionKey(user: call.user, client: client, resource: resource)
                agreed = agreed.limited(by: await gate.settled(key).decision?.terms?.agreed.kept ?? [:])
            }
            declaring.append(
                KeepingReply.Client(
                    client: client.rawValue, name: manifest.name, declared: Self.words(declared),
                    agreed: Self.words(agreed)))
        }
        return try Response(json: KeepingReply(clients: declaring))
    }

    /// The data of an item: a recording as WAV, a transcript as NDJSON of `KeptUtterance`.
    private func content(_ call: Call) async throws -> Response {
        let content = try await items.open(try call.parameter("item"), user: call.user)
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

    /// What is to be erased. Query: `items` (identifiers, separated by commas), `client`, or `all=true`.
    private func selection(_ call: Call) throws -> ItemSelection {
        var selection = ItemSelection(client: try call.request.client(), user: call.user)
        if let words = call.request.uri.queryParameters["items"] {
            selection.identifiers = Set(words.split(separator: ",").map(String.init))
        }
        let isAll = try call.request.isSet("all")
        guard selection.identifiers != nil || selection.client != nil || isAll else {
            throw RouteError(.invalidValue, "Name what to erase: items, client or all=true.")
        }
        return selection
    }

    private func erase(_ call: Call) async throws -> Response {
        let selection = try selection(call)
        if let identifiers = selection.identifiers {
            let known = Set(try await items.items(selection).map(\.identifier))
            if let unknown = identifiers.subtracting(known).min() {
                throw RouteError(
                    .notFound,
                    "There is no kept item \(unknown.prefix(40)), so nothing was erased. It may be gone already.")
            }
        }
        return try Response(json: ErasureReply(erased: try await items.erase(selection, for: .requested)))
    }

    private static func words(_ times: KeepingTimes) -> [String: KeepingTime] {
        times.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }
}

extension HistoryEntry {
    /// Characters of a text in a list; the item has all of it.
    private static let longestText = 16_000

    /// - Parameter items: has the text; `nil`: without text.
    init(_ item: KeptItem, manifest: Manifest?, text items: ItemStore?) async {
        self.init(
            item: item.identifier, session: item.session, client: item.client.rawValue,
            name: manifest?.name ?? item.client.rawValue, kind: item.kind, date: item.date, until: item.end,
            bytes: item.bytes)
        guard let items else { return }
        do {
            let decoder = JSONCoding.decoder()
            let lines = try await items.data(of: item).split(separator: UInt8(ascii: "\n"))
            let whole = try lines.map { try decoder.decode(KeptUtterance.self, from: $0).text }.joined(separator: "\n")
            text = whole.count > Self.longestText ? whole.prefix(Self.longestText) + "…" : whole
        } catch {
            problem = "\(error)"
        }
    }
}

extension ItemStore {
    func data(of item: KeptItem) async throws -> Data {
        var data = Data()
        for try await chunk in try await open(item.identifier, user: item.user) { data += chunk }
        return data
    }
}
