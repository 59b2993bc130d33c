import Authorization
import Crypto
import Foundation

/// An item that is being written. Its key is nowhere else until the item is complete.
public actor ItemWriter {
    public nonisolated let item: KeptItem
    private let key = SymmetricKey(size: .bits256)
    private var sealer: ItemSealer
    private let output: any KeptOutput

    init(item: KeptItem, output: any KeptOutput) {
        self.item = item
        self.output = output
        sealer = ItemSealer(key: key, item: item.identifier, kind: item.kind)
    }

    /// Calls must follow one another; each returns when its bytes are with the system.
    public func append(_ bytes: Data) async throws {
        let sealed = try sealer.add(bytes)
        if !sealed.isEmpty { try await output.write(sealed) }
    }

    /// Writes the rest and waits until it is durable.
    func finish() async throws -> (bytes: Int64, key: Data) {
        let rest = try sealer.finish()
        try await output.write(rest)
        try await output.sync()
        return (sealer.count, key.withUnsafeBytes { Data($0) })
    }
}
