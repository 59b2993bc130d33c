import Authorization
import Foundation
import Retention
import SocketAPI

extension HistoryEntry {
    /// Characters of a text in a list; all of it is in the item.
    private static let longestText = 16_000

    /// - Parameter items: where the text is read from; `nil`: it is not told.
    init(_ item: KeptItem, manifest: Manifest?, text items: ItemStore?) async {
        self.init(
            item: item.identifier, session: item.session, client: item.client.rawValue,
            name: manifest?.name ?? item.client.rawValue, kind: item.kind, date: item.date, until: item.end,
            bytes: item.bytes)
        guard let items else { return }
        do {
            var data = Data()
            for try await chunk in try await items.open(item.identifier, user: item.user) { data += chunk }
            let decoder = JSONCoding.decoder()
            let lines = data.split(separator: UInt8(ascii: "\n"))
            let whole = try lines.map { try decoder.decode(KeptUtterance.self, from: $0).text }.joined(separator: "\n")
            text = whole.count > Self.longestText ? whole.prefix(Self.longestText) + "…" : whole
        } catch {
            problem = "\(error)"
        }
    }
}
