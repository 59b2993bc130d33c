import Authorization
import Consent

/// What was asked, and what was answered, newest first, with the notice as it was shown.
extension ReportPage {
    var answers: Markup {
        guard figures.decisions.count > 0 else { return section(.answers, "<p>\(words.nobodyAsked)</p>") }
        let left = figures.decisions.leftOut
        return section(
            .answers,
            """
            <p class="lead">\(words.answersIntro)</p>
            <ol class="log">\(figures.decisions.elements.map(entry))</ol>
            \(note(left > 0 ? words.leftOut(left, "decisions.csv") : nil))
            """)
    }

    private func entry(_ entry: DecisionEntry) -> Markup {
        let time: Markup = "<time>\(words.dateTime(moment(entry.milliseconds)))</time>"
        if let muting = muting(entry) { return "<li>\(time)<div><p class=\"answer\">\(muting)</p></div></li>\n" }
        let subject = words.about(name(entry.client), resource(entry.resource) ?? words.erasedValue)
        return """
            <li>\(time)<div>
            <p class="asked">\(subject)</p>
            <p class="answer \(tone(entry.state))">\(answer(entry))</p>
            \(shown(entry))
            </div></li>

            """
    }

    private func muting(_ entry: DecisionEntry) -> String? {
        switch RecordKind(rawValue: entry.kind) {
        case .muted: words.muted
        case .unmuted: words.unmuted
        default: nil
        }
    }

    private func answer(_ entry: DecisionEntry) -> Markup {
        var parts = [
            entry.kind == RecordKind.carriedOver.rawValue ? words.carriedOver : outcome(entry.state, entry.scope)
        ]
        if let way = entry.indication.flatMap(Indication.init(rawValue:)) { parts.append(words.way(way)) }
        if let reason = entry.reason { parts.append(words.reason(DisplayText.cleaned(reason, limit: 100))) }
        if entry.isErased { parts.append(words.fieldsErased) }
        return "<strong>\(parts[0])</strong>\(parts.dropFirst().map { " · \($0)" as Markup })"
    }

    func outcome(_ state: ConsentState?, _ scope: String?) -> String {
        guard let state else { return words.erasedValue }
        return words.outcome(state, scope.flatMap(Scope.init(rawValue:)))
    }

    func tone(_ state: ConsentState?) -> String {
        switch state {
        case .given, .renewed: "yes"
        case .refused, .withdrawn, .revoked: "no"
        case .requested, .deferred, .expired, nil: "open"
        }
    }

    /// The question's text as the person saw it, in their language.
    private func shown(_ entry: DecisionEntry) -> Markup? {
        guard let notice = entry.notice else { return nil }
        let language: Markup = entry.language.flatMap(Language.init(rawValue:)).map { " lang=\"\($0.rawValue)\"" } ?? ""
        let hash = entry.noticeHash.map { "<p class=\"hash\">SHA-256 \(String($0.prefix(64)))</p>" as Markup }
        let question = entry.question.flatMap(words.question).map { "<p class=\"note\">\($0)</p>" as Markup }
        return """
            <details><summary>\(words.whatWasShown)</summary>\(question)\
            <blockquote\(language)>\(Markup.lines(notice))</blockquote>\(hash)</details>
            """
    }
}
