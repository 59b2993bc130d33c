import Authorization

extension ConsentLog {
    /// Reads backwards until all of them are found; what was erased of the records themselves is not told.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] {
        let kinds = [RecordKind.dataRetained, .dataErased, .denied, .withdrawn].map(\.rawValue)
        let limit = 256
        var traces: [String: ItemTrace] = [:]
        var missing = items
        var withdrawn: Set<DecisionKey> = []
        var before: Int64?
        while !missing.isEmpty {
            let page = try await storage.records(of: kinds, before: before, limit: limit)
            for record in try page.reversed().map(Self.opened) {
                switch record.kind {
                case .dataErased:
                    let erased = record.fields["items"]?.array?.compactMap(\.string) ?? []
                    for item in erased where missing.contains(item) {
                        traces[item, default: ItemTrace()].isErased = true
                    }
                case .dataRetained:
                    guard let item = record.fields["item"]?.string, missing.remove(item) != nil else { continue }
                    let taken = Resource.allCases.filter { record.key(for: $0).map(withdrawn.contains) ?? false }
                    traces[item, default: ItemTrace()].withdrawn = Set(taken)
                default:
                    let resource = record.fields["resource"]?.string.flatMap(Resource.init(rawValue:))
                    if let key = resource.flatMap(record.key) { withdrawn.insert(key) }
                }
            }
            guard let first = page.first, page.count == limit else { break }
            before = first.index
        }
        return traces
    }
}

extension ConsentRecord {
    fileprivate func key(for resource: Resource) -> DecisionKey? {
        guard let user = fields["user"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let client = fields["client"]?.string.flatMap(ClientIdentifier.init(rawValue:))
        else { return nil }
        return DecisionKey(user: user, client: client, resource: resource)
    }
}
