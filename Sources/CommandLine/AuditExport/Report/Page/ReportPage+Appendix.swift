import Authorization

/// All records by their kinds, so that nothing in the log is left unmentioned.
extension ReportPage {
    var appendix: Markup {
        let rows = figures.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { kind, count in
            let identifier = DisplayText.cleaned(kind, limit: 60)
            return [
                "\(words.kind(kind) ?? identifier)" as Markup, "<code>\(identifier)</code>", "\(words.count(count))",
            ]
        }
        return section(
            .appendix,
            "<p>\(words.appendixIntro(figures.records))</p>"
                + table(
                    words.name(of: .appendix), [words.whatColumn, words.kindNameColumn, words.numberColumn], rows,
                    isNumber: [2]))
    }
}
