import Authorization

/// What a reader should ask about.
extension ReportPage {
    var questions: Markup {
        let asked = Oddity.Kind.allCases.compactMap { kind in figures.oddities[kind].map { (kind, $0) } }
        guard !asked.isEmpty else { return section(.questions, "<p class=\"lead\">\(words.noQuestions)</p>") }
        let lists = asked.map { kind, oddities in
            """
            <div class="question">
            <h3>\(words.title(of: kind)) <span class="count">\(words.count(oddities.count))</span></h3>
            <p>\(words.explanation(of: kind))</p>
            <ul>\(oddities.elements.map { line($0, kind) })</ul>
            \(note(oddities.leftOut > 0 ? words.leftOut(oddities.leftOut, "records.jsonl") : nil))
            </div>

            """ as Markup
        }
        return section(.questions, "<p class=\"lead\">\(words.questionsIntro)</p>\(lists)")
    }

    private func line(_ oddity: Oddity, _ kind: Oddity.Kind) -> Markup {
        var parts: [Markup] = [
            "<time>\(words.dateTime(moment(oddity.milliseconds)))</time>"
        ]
        if let client = oddity.client, !client.isEmpty { parts.append(name(client)) }
        if let detail = detail(oddity, kind) { parts.append("\(detail)") }
        parts.append("<span class=\"id\">\(words.record(Int(clamping: oddity.record)))</span>")
        return "<li>\(parts.joined(" · "))</li>\n"
    }

    private func detail(_ oddity: Oddity, _ kind: Oddity.Kind) -> String? {
        guard let detail = oddity.detail else { return nil }
        switch kind {
        case .withoutYes, .unusedYes, .unanswered: return resource(detail)
        case .keptTooLong: return kindName(detail)
        case .longUnasked: return words.daysAfterYes(Int(detail) ?? 0)
        case .clock: return words.secondsBack(Int(detail) ?? 0)
        case .erased: return words.kind(detail) ?? DisplayText.cleaned(detail, limit: 60)
        case .withoutEnd: return nil
        }
    }
}
