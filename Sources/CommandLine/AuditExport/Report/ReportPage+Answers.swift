import Authorization
import Base
import Consent

/// Requests and decisions, newest first, with the notice as it was shown.
extension ReportPage {
    var answers: Markup {
        guard figures.decisions.count > 0 else { return section(.answers, "<p>\(words(.nobodyAsked))</p>") }
        return section(
            .answers,
            """
            <p class="lead">\(words(.answersIntro))</p>
            <ol class="log">\(figures.decisions.elements.map(decision))</ol>\(onPaper(figures.decisions.elements.count, of: figures.decisions.count))
            \(note(leftOut: figures.decisions.leftOut, "decisions.csv"))
            """)
    }

    private func decision(_ record: ConsentRecord) -> Markup {
        let (time, state) = (time(record.milliseconds), ConsentState(record))
        if let muting = muting(record) { return "<li>\(time)<div><p class=\"answer\">\(muting)</p></div></li>\n" }
        return """
            <li>\(time)<div>
            <p class="asked">\(name(record.text(.client) ?? "")) · \
            \(resource(record.text(.resource)) ?? words(.erasedValue))</p>
            <p class="answer \(tone(state))">\(answer(record, state))</p>
            \(shown(record))
            </div></li>

            """
    }

    /// With the program that did it.
    private func muting(_ record: ConsentRecord) -> String? {
        guard [.muted, .unmuted].contains(record.kind) else { return nil }
        let program = record[.decidedByExecutable].map { " · " + DisplayText.cleaned($0, limit: 400) } ?? ""
        return words(record.kind == .muted ? .muted : .unmuted) + program
    }

    private func answer(_ record: ConsentRecord, _ state: ConsentState?) -> Markup {
        var parts = [
            record.kind == .carriedOver ? words(.carriedOver) : outcome(state, record.text(.scope))
        ]
        if let way = record[.indication].flatMap(Indication.init(rawValue:)) { parts.append(words.way(way)) }
        if let reason = record[.reason].map({ DisplayText.cleaned($0, limit: 100) }) {
            parts.append(words.reason(reason) ?? reason)
        }
        if record.isErased { parts.append(words(.fieldsErased)) }
        return "<strong>\(parts[0])</strong>\(parts.dropFirst().map { " · \($0)" as Markup })"
    }

    func outcome(_ state: ConsentState?, _ scope: String?) -> String {
        guard let state else { return words(.erasedValue) }
        return words.outcome(state, scope.flatMap(Scope.init(rawValue:)))
    }

    func tone(_ state: ConsentState?) -> String {
        switch state {
        case .given, .renewed: "yes"
        case .refused, .withdrawn, .revoked: "no"
        case .requested, .deferred, .expired, nil: "open"
        }
    }

    /// The notice as the user saw it.
    private func shown(_ record: ConsentRecord) -> Markup? {
        guard let notice = record[.notice] else { return nil }
        let language: Markup =
            record.text(.language).flatMap(Language.init(rawValue:)).map { " lang=\"\($0.rawValue)\"" } ?? ""
        let hash = record[.noticeSHA256].map {
            "<p class=\"hash\">SHA-256 \(String($0.prefix(64)))</p>" as Markup
        }
        let question = record.text(.question).flatMap { words.question($0) }.map(note)
        return """
            <details><summary>\(words(.whatWasShown))</summary>\(question)\
            <blockquote\(language)>\(Markup.lines(notice))</blockquote>\(hash)</details>
            """
    }
}

/// Open questions.
extension ReportPage {
    var questions: Markup {
        let asked = Oddity.Kind.allCases.compactMap { kind in figures.oddities[kind].map { (kind, $0) } }
        guard !asked.isEmpty else { return section(.questions, "<p class=\"lead\">\(words(.noQuestions))</p>") }
        let lists = asked.map { kind, oddities in
            """
            <div class="question">
            <h3>\(words.oddity(kind)) <span class="count">\(words.count(oddities.count))</span></h3>
            <p>\(words.explanation(kind))</p>
            <ul>\(oddities.elements.map { line($0, kind) })</ul>
            \(note(leftOut: oddities.leftOut, "records.jsonl"))
            </div>

            """ as Markup
        }
        return section(.questions, "<p class=\"lead\">\(words(.questionsIntro))</p>\(lists)")
    }

    private func line(_ oddity: Oddity, _ kind: Oddity.Kind) -> Markup {
        var parts = [time(oddity.milliseconds)]
        if let client = oddity.client, !client.isEmpty { parts.append(name(client)) }
        if let detail = detail(oddity, kind) { parts.append("\(detail)") }
        parts.append("<span class=\"id\">\(words.record(number: Int(clamping: oddity.record)))</span>")
        return "<li>\(parts.joined(" · "))</li>\n"
    }

    private func detail(_ oddity: Oddity, _ kind: Oddity.Kind) -> String? {
        guard let detail = oddity.detail else { return nil }
        switch kind {
        case .withoutGrant, .unusedGrant, .unanswered: return resource(detail)
        case .keptTooLong: return kindName(detail)
        case .longUnasked: return words.daysAfterGrant(count: words.count(Int(detail) ?? 0))
        case .clock: return words.secondsBack(count: words.count(Int(detail) ?? 0))
        case .erased: return words.kind(detail) ?? DisplayText.cleaned(detail, limit: 60)
        case .withoutEnd: return nil
        }
    }
}

/// What the log proves, and what it does not.
extension ReportPage {
    var proof: Markup {
        section(
            .proof,
            """
            <p class="verdict \(isGood ? "good" : "bad")">\(verdict)</p>
            <div class="pair"><div>
            <h3>\(words(.provenTitle))</h3>
            <ul>\(proven.map { "<li>\($0)</li>" as Markup })</ul>
            </div><div>
            <h3>\(words(.notProvenTitle))</h3>
            <ul>\(Self.notProven.map { "<li>\(words($0))</li>" as Markup })</ul>
            </div></div>
            \(checkpoint)
            \(publication)
            <p>\(words(.checkYourself))</p>
            """)
    }

    /// The last checkpoint that left the machine; unknown from a part of the log.
    private var publication: Markup? {
        guard scope.isWhole else { return nil }
        guard let last = figures.publication else { return "<p>\(words(.neverPublished))</p>" }
        let text = words.published(
            time: words.dateTime(moment(last.milliseconds)), count: words.count(Int(clamping: last[.size] ?? 0)))
        return "<p>\(text) \(Markup.name(last[.destination] ?? "", limit: 120))</p>"
    }

    private var isGood: Bool { verification.report.map(\.isIntact) ?? false }

    private var verdict: String {
        guard let report = verification.report else { return words(.notChecked) }
        if let problem = report.problem { return "\(words(.doesNotFit)) \(problem.message)" }
        return words.allFit(count: words.count(Int(clamping: report.records)))
    }

    private var proven: [String] {
        guard isGood else { return [words(.nothingProven)] }
        var proven = [words(.fitTogether)]
        switch verification.coverage {
        case .whole: proven.append(words(.coveredWhole))
        case .proofs: proven.append(words(.coveredByProofs))
        case .unchecked: proven.append(words(.notCovered))
        }
        if verification.trust != nil { proven.append(words(.signed)) }
        if let erased = verification.report?.erasedRecords, erased > 0 {
            proven.append(words.erasedKeepPlace(count: words.count(erased)))
        }
        return proven
    }

    private static let notProven: [ReportText] = [
        .laterNotProven, .declarationsNotProven, .otherRecordingsNotProven, .voiceNotProven,
    ]

    private var checkpoint: Markup? {
        let checkpoint = verification.trust?.checkpoint
        guard let size = checkpoint?.size ?? verification.report?.records,
            let root = checkpoint?.root.base64 ?? verification.report?.root
        else { return nil }
        let key: Markup? = verification.trust.map { "<code>\($0.signer.text)</code>" }
        return definitions(
            "rows",
            [
                (words(.recordsName), "\(words.count(Int(clamping: size)))"),
                (words(.rootName), "<code>\(root)</code>"),
                (words(.keyName), key), (words(.logName), "<code>\(scope.log)</code>"),
            ])
    }
}
