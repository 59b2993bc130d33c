import AuditExport
import Authorization
import Base
import CommandText
import Consent
import Foundation
import LinuxSystem

/// Records as a person reads them: by day, each as a sentence with its time and number.
struct RecordDays {
    private var day: Substring?

    mutating func lines(_ record: ConsentRecord, timeZone: TimeZone = .local) -> [String] {
        let stamp = DayAndTime.text(record.time.date, timeZone: timeZone)
        let (day, time) = (stamp.prefix(10), stamp.suffix(8))
        defer { self.day = day }
        let heading = self.day == day ? [] : (self.day == nil ? [] : [""]) + [String(day)]
        let facts = record.details + (record.isErased ? ["erased"] : []) + ["record \(record.index)"]
        let line = ([Self.sentence(record)] + facts).joined(separator: " · ")
        return heading + ["\(time)  \(DisplayText.cleaned(line, limit: 2_000))"]
    }

    private static func sentence(_ record: ConsentRecord) -> String {
        let isFile = !record.isErased && !record.usesMicrophone
        let words: String? =
            switch record.kind {
            case .sessionStarted where isFile: "the transcription of a file began"
            case .sessionStopped where isFile: "the transcription of a file ended"
            default: Language.english.words(for: record.kind)
            }
        guard let words, let first = words.first else { return record.kind.rawValue }
        return first.uppercased() + words.dropFirst()
    }
}
