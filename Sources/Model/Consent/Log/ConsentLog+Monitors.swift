import Authorization

extension ConsentLog {
    /// The monitors that were registered and not removed, as the records say. Their records are their only place.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func monitors() async throws -> [MonitorRegistration] {
        var found: [MonitorRegistration] = []
        for record in try await records(of: [.monitorRegistered, .monitorRemoved]) {
            guard let identifier = record.fields["monitor"]?.string else { continue }
            if record.kind == .monitorRemoved {
                found.removeAll { $0.identifier == identifier }
            } else if let monitor = Self.monitor(record) {
                found.append(monitor)
            }
        }
        return found
    }

    /// - Returns: `nil` where the fields were erased.
    private static func monitor(_ record: ConsentRecord) -> MonitorRegistration? {
        guard let identifier = record.fields["monitor"]?.string,
            let user = record.fields["user"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let client = record.fields["client"]?.string.flatMap(ClientIdentifier.init(rawValue:)),
            let name = record.fields["waitsFor"]?.string,
            let kind = MonitorKind(name: name, phrase: record.fields["phrase"]?.string),
            let action = record.fields["action"]?.string.flatMap(MonitorAction.init(rawValue:))
        else { return nil }
        return MonitorRegistration(identifier: identifier, user: user, client: client, kind: kind, action: action)
    }
}
