import Authorization

extension RecordContent {
    static func describe(
        _ occurrence: MonitorOccurrence, of monitor: MonitorRegistration
    ) -> (RecordKind, [String: JSONValue]) {
        var fields: [String: JSONValue] = [
            "monitor": .string(monitor.identifier), "client": .string(monitor.client.rawValue),
            "user": .integer(Int64(monitor.user)), "waitsFor": .string(monitor.kind.name),
            "action": .string(monitor.action.rawValue),
        ]
        if let phrase = monitor.kind.phrase { fields["phrase"] = .string(phrase) }
        switch occurrence {
        case .registered(let caller):
            return (.monitorRegistered, fields.merging(decided(by: caller)) { $1 })
        case .removed(let reason):
            fields["reason"] = .string(reason.rawValue)
            return (.monitorRemoved, fields)
        case .paused(let reason):
            fields["reason"] = .string(reason.rawValue)
            return (.monitorPaused, fields)
        case .resumed: return (.monitorResumed, fields)
        case .triggered: return (.monitorTriggered, fields)
        case .failed(let reason):
            fields["reason"] = .string(reason)
            return (.monitorFailed, fields)
        case .exited(let status):
            fields["status"] = .integer(Int64(status))
            return (.monitorExited, fields)
        }
    }
}
