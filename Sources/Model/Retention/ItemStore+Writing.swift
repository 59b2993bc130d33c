extension ItemStore {
    /// Whether an item that was begun may still be kept: it was not erased meanwhile. One that cannot be looked for may.
    public func isWriting(_ item: KeptItem) async -> Bool {
        guard let entries = try? await table.entries() else { return true }
        return entries.contains { $0.item.identifier == item.identifier && $0.state == .writing }
    }
}
