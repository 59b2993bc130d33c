import Consent

/// What is left to ask when all records are read.
extension ReportFigures {
    /// Milliseconds after which a yes that goes on being used should have been asked about again.
    static let reviewAfter: Int64 = 30 * 86_400_000

    /// - Parameter now: when the report is made, milliseconds since 1970.
    func finished(at now: Int64) -> ReportFigures {
        var figures = self
        for record in open.rest { figures.note(.withoutEnd, record, record.milliseconds) }
        for item in kept.overdue(at: now).reversed() {
            figures.note(.keptTooLong, item.record, item.kept, item.client, detail: item.kind)
        }
        for program in programs.values.sorted(by: { $0.client < $1.client }) {
            for (key, standing) in program.standings.sorted(by: { $0.key < $1.key }) where standing.isYes {
                figures.ask(about: standing, key, of: program.client)
            }
        }
        for entry in unanswered.values.sorted(by: { $0.record < $1.record }) {
            figures.note(.unanswered, entry.record, entry.milliseconds, entry.client, detail: entry.resource)
        }
        return figures
    }

    /// How many there are in all.
    var questions: Int { oddities.values.reduce(0) { $0 + $1.count } }

    private mutating func ask(about standing: Standing, _ key: StandingKey, of client: String) {
        guard let lastUse = standing.lastUse else {
            note(.unusedYes, standing.record, standing.milliseconds, client, detail: key.resource)
            return
        }
        if lastUse - standing.milliseconds > Self.reviewAfter {
            let days = (lastUse - standing.milliseconds) / 86_400_000
            note(.longUnasked, standing.record, lastUse, client, detail: String(days))
        }
    }

    private mutating func note(
        _ kind: Oddity.Kind, _ record: UInt64, _ milliseconds: Int64, _ client: String, detail: String?
    ) {
        let oddity = Oddity(record: record, milliseconds: milliseconds, client: client, detail: detail)
        oddities[kind, default: Newest(20)].append(oddity)
    }
}
