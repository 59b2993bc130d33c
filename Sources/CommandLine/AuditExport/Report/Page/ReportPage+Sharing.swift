/// Who else got it: what programs declare, and what was enforced.
extension ReportPage {
    private static let mostRows = 60

    var sharing: Markup {
        let all = programsByUse.filter { $0.use.times > 0 || $0.sharedTimes > 0 }
        guard !all.isEmpty else { return section(.sharing, "<p class=\"lead\">\(words.nothingToShare)</p>") }
        let rows = all.prefix(Self.mostRows).map { program in
            [
                name(program.client), "\(program.practices.map { declared($0.recipients) } ?? words.noNotice)",
                "\(enforced(program))", handedOn(program),
            ]
        }
        return section(
            .sharing,
            """
            <p class="lead">\(words.sharingIntro)</p>
            \(table(
                words.name(of: .sharing),
                [words.programColumn, words.declaredColumn, words.enforcedColumn, words.handedOnColumn], Array(rows)))\
            \(note(all.count > rows.count ? words.morePrograms(all.count - rows.count) : nil))
            """)
    }

    private func enforced(_ program: ProgramFigures) -> String {
        let parts = program.sharing.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            words.sharing($0.key, $0.value)
        }
        return parts.isEmpty ? words.notEnforced : parts.joined(separator: noticeWords.listSeparator)
    }

    private func handedOn(_ program: ProgramFigures) -> Markup {
        guard program.sharedTimes > 0 else { return "\(words.handedOnNothing)" }
        let names = program.recipients.sorted().prefix(20).map { Markup.name($0) }
        return "\(words.handedOn(program.sharedTimes)) \(names.joined("\(noticeWords.listSeparator)"))"
    }
}
