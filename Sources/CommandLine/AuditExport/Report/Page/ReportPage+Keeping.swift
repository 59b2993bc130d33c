import Authorization

/// What was kept, and what was erased.
extension ReportPage {
    private static let mostItems = 60

    var keeping: Markup {
        let kept = figures.kept
        guard kept.retained > 0 || kept.erasures.count > 0 else {
            return section(.keeping, "<p class=\"lead\">\(words.nothingWasKept)</p>")
        }
        return section(
            .keeping,
            """
            <p class="lead">\(words.keptAndErased(kept.retained, kept.erased, kept.keptNow))</p>
            \(items)
            \(erasures)
            """)
    }

    private var items: Markup? {
        let items = figures.kept.items
        guard !items.isEmpty else { return nil }
        let rows = items.prefix(Self.mostItems).map { item -> [Markup] in
            [
                "<time>\(words.dateTime(moment(item.kept)))</time>" as Markup, name(item.client),
                "\(kindName(item.kind))", "\(words.bytes(item.bytes))",
                "\(item.until.map { words.dateTime(moment($0)) } ?? words.untilTakenBack)",
            ]
        }
        let left = figures.kept.keptNow - rows.count
        let heads = [words.sinceColumn, words.programColumn, words.kindColumn, words.sizeColumn, words.untilColumn]
        return """
            <h3>\(words.keptNowTitle)</h3>
            \(table(words.keptNowTitle, heads, Array(rows), isNumber: [3]))\(note(left > 0 ? words.leftOut(left, "records.jsonl") : nil))
            """
    }

    private var erasures: Markup? {
        let erasures = figures.kept.erasures
        guard erasures.count > 0 else { return nil }
        let rows = erasures.elements.map { erasure -> [Markup] in
            [
                "<time>\(words.dateTime(moment(erasure.milliseconds)))</time>" as Markup,
                erasure.client.map { name($0) } ?? ("" as Markup), "\(what(erasure))",
                "\(words.erasureReason(erasure.reason ?? ""))",
            ]
        }
        let heads = [words.whenColumn, words.programColumn, words.whatColumn, words.whyColumn]
        return """
            <h3>\(words.erasedTitle)</h3>
            \(table(words.erasedTitle, heads, rows))\
            \(note(erasures.leftOut > 0 ? words.leftOut(erasures.leftOut, "records.jsonl") : nil))
            """
    }

    private func what(_ erasure: KeptItems.Erasure) -> String {
        if erasure.records > 0 { return words.recordsErased(erasure.records) }
        let kinds = erasure.kinds.prefix(10).map(kindName).joined(separator: noticeWords.listSeparator)
        return words.itemsErased(erasure.items, kinds)
    }
}
