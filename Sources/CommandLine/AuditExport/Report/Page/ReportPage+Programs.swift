import Authorization

/// Each program: how it stands, the four data items as they were shown, and how it was used.
extension ReportPage {
    private static let mostPrograms = 40

    var programs: Markup {
        let all = programsByUse
        guard !all.isEmpty else { return section(.programs, "<p>\(words.noPrograms)</p>") }
        let left = all.count - min(all.count, Self.mostPrograms) + figures.otherPrograms.count
        let cards = all.prefix(Self.mostPrograms).enumerated().map { card($1, $0) }
        return section(.programs, "\(cards)\(note(left > 0 ? words.morePrograms(left) : nil))")
    }

    private func card(_ program: ProgramFigures, _ position: Int) -> Markup {
        """
        <article aria-labelledby="p\(position)">
        <h3 id="p\(position)">\(name(program.client))</h3>
        <p class="id">\(Markup.name(program.client, limit: 255))\
        \(program.executable.map { "<br>\(Markup.name($0, limit: 200))" as Markup })</p>
        <div class="pair"><div>
        <h4>\(words.standingTitle)</h4>
        \(standings(program))
        \(usage(program))
        </div><div>
        <h4>\(words.fourItems)</h4>
        \(items(program.practices))
        </div></div>
        </article>

        """
    }

    private func standings(_ program: ProgramFigures) -> Markup {
        guard !program.standings.isEmpty else { return "<p>\(words.neverAnswered)</p>" }
        let rows = program.standings.sorted { $0.key < $1.key }.map { key, standing in
            var text = words.asOf(outcome(standing.state, standing.scope), words.date(moment(standing.milliseconds)))
            if standing.isYes, standing.fidelity == Fidelity.reduced.rawValue {
                text += " · " + noticeWords.name(of: Fidelity.reduced)
            }
            return """
                <div><dt>\(resource(key.resource) ?? "")\
                \(program.hasSeveralUsers ? " <small>\(Markup.name(key.user, limit: 20))</small>" as Markup : nil)</dt>\
                <dd class="\(tone(standing.state))">\(text)</dd></div>
                """ as Markup
        }
        return "<dl class=\"rows\">\(rows)</dl>"
    }

    private func usage(_ program: ProgramFigures) -> Markup {
        var lines: [Markup] = []
        if let first = program.first, let last = program.last {
            let use = words.use(program.use.times, words.duration(program.use.milliseconds))
            lines.append(
                "<p>\(words.usedBetween(use, words.dateTime(moment(first)), words.dateTime(moment(last))))</p>")
        } else {
            lines.append("<p>\(words.neverListened)</p>")
        }
        if program.files > 0 { lines.append("<p>\(words.filesRead(program.files))</p>") }
        if !program.refusals.isEmpty {
            let reasons = program.refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                "\(words.refusal($0.key)) (\(words.count($0.value)))"
            }
            lines.append("<p>\(words.refusedFor(reasons.joined(separator: noticeWords.listSeparator)))</p>")
        }
        return lines.joined("\n")
    }

    private func items(_ practices: Practices?) -> Markup {
        guard let practices else { return "<p>\(words.noNotice)</p>" }
        let kinds = practices.kinds.prefix(20).map(kindName).joined(separator: noticeWords.listSeparator)
        let rows: [(String, Markup)] = [
            (noticeWords.collected, "\(kinds)"),
            (noticeWords.purpose, .name(practices.purpose, limit: 400)),
            (noticeWords.kept, practices.retention.map { .name($0, limit: 200) } ?? "\(noticeWords.nothingIsKept)"),
            (noticeWords.shared, "\(declared(practices.recipients))"),
        ]
        return """
            <dl class="rows">\(rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup })</dl>
            <p class="note">\(words.asShown(Int(clamping: practices.record)))</p>
            """
    }

    func kindName(_ kind: String) -> String {
        DataKind(rawValue: kind).map { noticeWords.name(of: $0) } ?? DisplayText.cleaned(kind, limit: 40)
    }

    func declared(_ recipients: [String]?) -> String {
        guard let recipients else { return noticeWords.sharingNotDeclared }
        if recipients.isEmpty { return noticeWords.sharedWithNobody }
        let names = recipients.prefix(20).map { DisplayText.cleaned($0, limit: 100) }
        return noticeWords.sharedWith(names.joined(separator: noticeWords.listSeparator))
    }
}

extension ProgramFigures {
    fileprivate var hasSeveralUsers: Bool { Set(standings.keys.map(\.user)).count > 1 }
}
