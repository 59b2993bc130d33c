extension ConsentLog {
    /// Where checkpoints went, oldest first, as their records say.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public nonisolated func publications() async throws -> [CheckpointPublication] {
        try await storage.records(of: [RecordKind.checkpointPublished.rawValue], before: nil, limit: .max).compactMap {
            let record = try Self.opened($0)
            guard let size = record.fields["size"]?.integer.flatMap({ UInt64(exactly: $0) }),
                let destination = record.fields["destination"]?.string
            else { return nil }
            return CheckpointPublication(size: size, destination: destination, time: record.time)
        }
    }
}
