import Authorization
import Foundation

extension LogVerdict {
    /// Sentences, the result first, safe to show: a destination is whatever a program said.
    var lines: [String] {
        var lines = ["The log verifies: \(report.records) records, root \(report.root)"]
        if report.erasedRecords > 0 { lines.append("The fields of \(report.erasedRecords) of them were erased.") }
        lines += assurance
        if let lastCosignature {
            let time = DayAndTime.text(Date(timeIntervalSince1970: TimeInterval(lastCosignature.seconds)))
            lines.append("A witness, \(lastCosignature.witness), signed the first \(lastCosignature.size) on \(time).")
        }
        if trustsOwnKeys, let key = keys.last {
            lines.append("The key is the one that this machine names: \(key)")
        }
        return lines.map { DisplayText.cleaned($0, limit: 2_000) }
    }

    private var assurance: [String] {
        if let provenSize {
            return [
                "Proven: the first \(provenSize) records are those of the checkpoint that was kept elsewhere.",
                onlyWord(after: provenSize),
            ]
        }
        if let published = lastPublication {
            let day =
                (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(published.time))
                .map { DayAndTime.text($0) } ?? published.time
            return [
                "A checkpoint of the first \(published.size) was published on \(day): \(published.destination)",
                "That they are still the same is proven with it: voicegate audit verify --checkpoint FILE",
                onlyWord(after: published.size),
            ]
        }
        return [
            "No checkpoint was published, so all of it has only this machine's word. Publish one to a place that this "
                + "machine cannot change: voicegate audit checkpoint --publish FILE"
        ]
    }

    private func onlyWord(after size: UInt64) -> String {
        switch report.records {
        case ...size: "No record came after that."
        case size + 1: "The record after that has only this machine's word."
        default: "The \(report.records - size) records after that have only this machine's word."
        }
    }
}
