import Authorization
import Base
import Consent

/// Each program: its permissions, the four data items as shown, and its use.
extension ReportPage {
    private static let mostPrograms = 40

    var programs: Markup {
        let all = programsByUse
        guard !all.isEmpty else { return section(.programs, "<p>\(words(.noPrograms))</p>") }
        let left = all.count - min(all.count, Self.mostPrograms) + figures.otherPrograms.count
        let cards = all.prefix(Self.mostPrograms).enumerated().map { card($1, $0) }
        return section(.programs, "\(cards)\(note(morePrograms: left))")
    }

    private func card(_ program: ProgramFigures, _ position: Int) -> Markup {
        """
        <article aria-labelledby="p\(position)">
        <h3 id="p\(position)">\(name(program.client))</h3>
        <p class="id">\(Markup.name(program.client, limit: 255))\
        \(program.executable.map { "<br>\(Markup.name($0, limit: 200))" as Markup })</p>
        <div class="pair"><div>
        <h4>\(words(.standingTitle))</h4>
        \(standings(program))
        \(usage(program))
        </div><div>
        <h4>\(words(.fourItems))</h4>
        \(items(program.notice))
        </div></div>
        </article>

        """
    }

    private func standings(_ program: ProgramFigures) -> Markup {
        guard !program.standings.isEmpty else { return "<p>\(words(.neverAnswered))</p>" }
        let rows = program.standings.sorted { $0.key < $1.key }.map { key, standing in
            var text = words.asOf(
                outcome: outcome(standing.state, standing.scope),
                date: words.date(moment(standing.milliseconds).date))
            if standing.isGranted, standing.scope == Scope.once.rawValue { text += " · \(words(.askNextTime))" }
            if standing.isGranted, standing.fidelity == Fidelity.reduced.rawValue {
                text += " · " + noticeWords.fidelity(.reduced)
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
        if program.use.listened.times == 0 { lines.append("<p>\(words(.neverListened))</p>") }
        if let span = program.span {
            let (first, last) = (words.dateTime(moment(span.lowerBound)), words.dateTime(moment(span.upperBound)))
            lines.append("<p>\(words.used(words.use(program.use), from: first, to: last))</p>")
        }
        if !program.refusals.isEmpty {
            let reasons = program.refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                "\(words.refusal($0.key) ?? $0.key) (\(words.count($0.value)))"
            }
            lines.append("<p>\(words.refusedFor(reasons: reasons.joined(separator: noticeWords(.listSeparator))))</p>")
        }
        return lines.joined("\n")
    }

    private func items(_ notice: ConsentRecord?) -> Markup {
        guard let notice else { return "<p>\(words(.noNotice))</p>" }
        let kinds = (notice.texts(.dataKinds) ?? []).prefix(20).map(kindName)
        let rows: [(String, Markup)] = [
            (noticeWords(.collected), "\(kinds.joined(separator: noticeWords(.listSeparator)))"),
            (noticeWords(.purpose), .name(notice[.purpose] ?? "", limit: 400)),
            (
                noticeWords(.kept),
                notice[.retention].map { .name($0, limit: 200) } ?? "\(noticeWords(.nothingIsKept))"
            ),
            (noticeWords(.shared), "\(declared(notice[.recipients]))"),
        ]
        return definitions("rows", rows) + "\n" + note(words.asShown(record: Int(clamping: notice.index)))
    }

    func kindName(_ kind: String) -> String {
        DataKind(rawValue: kind).map(noticeWords.kind) ?? DisplayText.cleaned(kind, limit: 40)
    }

    func declared(_ recipients: [String]?) -> String {
        guard let recipients else { return noticeWords(.sharingNotDeclared) }
        if recipients.isEmpty { return noticeWords(.sharedWithNobody) }
        let names = recipients.map { DisplayText.cleaned($0, limit: 100) }
        return noticeWords.sharedWith(recipients: names.joined(separator: noticeWords(.listSeparator)))
    }
}

extension ProgramFigures {
    fileprivate var hasSeveralUsers: Bool { Set(standings.keys.map(\.user)).count > 1 }
}

/// Kept and erased data.
extension ReportPage {
    private static let mostItems = 60

    var keeping: Markup {
        let kept = figures.kept
        guard kept.retained > 0 || kept.erasures.count > 0 else {
            return section(.keeping, "<p class=\"lead\">\(words(.nothingWasKept))</p>")
        }
        return section(
            .keeping,
            """
            <p class="lead">\(words.keptAndErased(kept: words.count(kept.retained), erased: words.count(kept.erased), now: words.count(kept.keptNow)))</p>
            \(items)
            \(erasures)
            """)
    }

    private var items: Markup? {
        let items = figures.kept.items
        guard !items.isEmpty else { return nil }
        let rows = items.prefix(Self.mostItems).map { item -> [Markup] in
            [
                time(item.milliseconds), name(item.text(.client) ?? ""), "\(kindName(item.text(.dataKind) ?? ""))",
                "\(words.bytes(item[.bytes] ?? 0))",
                "\(KeptItems.end(of: item).map { words.dateTime(moment($0)) } ?? words(.untilTakenBack))",
            ]
        }
        let heads: [ReportText] = [.sinceColumn, .programColumn, .whatColumn, .sizeColumn, .untilColumn]
        return """
            <h3>\(words(.keptNowTitle))</h3>
            \(table(words(.keptNowTitle), heads, Array(rows), isNumber: [3], of: figures.kept.keptNow))\
            \(note(leftOut: figures.kept.keptNow - rows.count, "records.jsonl"))
            """
    }

    private var erasures: Markup? {
        let erasures = figures.kept.erasures
        guard erasures.count > 0 else { return nil }
        let rows = erasures.elements.map { erasure -> [Markup] in
            [
                time(erasure.milliseconds),
                erasure.client.map { name($0) } ?? ("" as Markup), "\(what(erasure))",
                "\(erasure.reason.map { words.erasureReason($0) ?? $0 } ?? "")",
            ]
        }
        return """
            <h3>\(words(.erasedTitle))</h3>
            \(table(words(.erasedTitle), [.whenColumn, .programColumn, .whatColumn, .whyColumn], rows, of: erasures.count))\
            \(note(leftOut: erasures.leftOut, "records.jsonl"))
            """
    }

    private func what(_ erasure: KeptItems.Erasure) -> String {
        if erasure.records > 0 { return words.recordsErased(count: words.count(erasure.records)) }
        let kinds = erasure.kinds.prefix(10).map(kindName).joined(separator: noticeWords(.listSeparator))
        return words.erased(erasure.items, kinds: kinds)
    }
}

/// Sharing: as declared by programs, and as enforced.
extension ReportPage {
    private static let mostRows = 60

    var sharing: Markup {
        let all = programsByUse.filter { !$0.use.isEmpty || $0.sharedTimes > 0 }
        guard !all.isEmpty else { return section(.sharing, "<p class=\"lead\">\(words(.nothingToShare))</p>") }
        let rows = all.prefix(Self.mostRows).map { program in
            [
                name(program.client), "\(program.notice.map { declared($0[.recipients]) } ?? words(.noNotice))",
                "\(enforced(program))", handedOn(program),
            ]
        }
        let heads: [ReportText] = [.programColumn, .declaredColumn, .enforcedColumn, .handedOnColumn]
        return section(
            .sharing,
            """
            <p class="lead">\(words(.sharingIntro))</p>
            \(table(words.section(.sharing), heads, Array(rows)))\
            \(note(morePrograms: all.count - rows.count))
            """)
    }

    private func enforced(_ program: ProgramFigures) -> String {
        let parts = program.sharing.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            words.sharing(way: words.sharingWay($0.key) ?? $0.key, count: words.count($0.value))
        }
        return parts.isEmpty ? words(.notEnforced) : parts.joined(separator: noticeWords(.listSeparator))
    }

    private func handedOn(_ program: ProgramFigures) -> Markup {
        guard program.sharedTimes > 0 else { return "\(words(.handedOnNothing))" }
        let names = program.recipients.sorted().map { Markup.name($0) }
        return
            "\(words.handedOn(count: words.count(program.sharedTimes))) \(names.joined("\(noticeWords(.listSeparator))"))"
    }
}
