/// What is proven by the log's mathematics, and what is not.
extension ReportPage {
    var proof: Markup {
        section(
            .proof,
            """
            <p class="verdict \(isGood ? "good" : "bad")">\(verdict)</p>
            <div class="pair"><div>
            <h3>\(words.provenTitle)</h3>
            <ul>\(proven.map { "<li>\($0)</li>" as Markup })</ul>
            </div><div>
            <h3>\(words.notProvenTitle)</h3>
            <ul>\(words.notProven.map { "<li>\($0)</li>" as Markup })</ul>
            </div></div>
            \(checkpoint)
            \(publication)
            <p>\(words.checkYourself)</p>
            """)
    }

    /// Since when nobody on this machine can rewrite the log unnoticed. A part of the log does not tell.
    private var publication: Markup? {
        guard scope.isWhole else { return nil }
        guard let last = figures.publication else { return "<p>\(words.neverPublished)</p>" }
        let text = words.published(Int(clamping: last.size), words.dateTime(moment(last.milliseconds)))
        return "<p>\(text) \(Markup.name(last.destination, limit: 120))</p>"
    }

    private var isGood: Bool { verification.report.map(\.isIntact) ?? false }

    private var verdict: String {
        guard let report = verification.report else { return words.notChecked }
        if let problem = report.problem { return "\(words.doesNotFit) \(problem.message)" }
        return words.allFit(Int(clamping: report.records))
    }

    private var proven: [String] {
        guard isGood else { return [words.nothingProven] }
        var proven = [words.fitTogether]
        switch verification.coverage {
        case .whole: proven.append(words.coveredWhole)
        case .proofs: proven.append(words.coveredByProofs)
        case .unchecked: proven.append(words.notCovered)
        }
        if verification.checkpoint != nil { proven.append(words.signed) }
        if let erased = verification.report?.erasedRecords, erased > 0 { proven.append(words.erasedKeepPlace(erased)) }
        return proven
    }

    private var checkpoint: Markup? {
        guard let size = verification.checkpoint?.size ?? verification.report?.records,
            let root = verification.checkpoint?.root ?? verification.report?.root
        else { return nil }
        var rows: [(String, Markup)] = [
            (words.recordsName, "\(words.count(Int(clamping: size)))"), (words.rootName, "<code>\(root)</code>"),
        ]
        if let key = verification.checkpoint?.key { rows.append((words.keyName, "<code>\(key)</code>")) }
        rows.append((words.logName, "<code>\(scope.log)</code>"))
        return "<dl class=\"rows\">\(rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup })</dl>"
    }
}
