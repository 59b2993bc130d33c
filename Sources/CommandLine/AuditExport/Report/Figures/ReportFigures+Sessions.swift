import Consent

/// Who listened.
extension ReportFigures {
    mutating func begin(_ record: AuditRecord, at milliseconds: Int64) {
        var without: [String] = []
        program(of: record) { without = $0.begin(record, at: milliseconds) }
        if knowsAllDecisions {
            for resource in without { note(.withoutYes, record, milliseconds, detail: resource) }
        }
        if let dropped = open.start(record) { note(.withoutEnd, dropped, dropped.milliseconds) }
    }

    mutating func end(_ record: AuditRecord, at milliseconds: Int64) {
        let length = max(record.number("milliseconds") ?? 0, 0)
        let started = open.stop(record)?.milliseconds ?? milliseconds - length
        let use = Use(times: 1, milliseconds: length)
        sessions.append(SessionEntry(record, started: started))
        self.use += use
        program(of: record) { $0.add(use) }
        let hour = clock.hour(started)
        calendar.add(use, hour: hour)
        if let client = record.text("client"), programs[client] != nil {
            calendars[client, default: UseCalendar()].add(use, hour: hour)
        }
    }
}
