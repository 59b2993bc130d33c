/// What matters in a few lines.
extension ReportPage {
    var summary: Markup {
        let numbers: [(String, String)] = [
            (words.count(figures.use.times), words.timesListened),
            (words.duration(figures.use.milliseconds), words.listeningInAll),
            (words.count(figures.programs.count + figures.otherPrograms.count), words.programsSeen),
            ("\(words.count(figures.yeses)) / \(words.count(figures.noes))", words.yesesAndNoes),
            (words.count(figures.kept.keptNow), words.itemsKept),
            (words.count(figures.questions), words.openQuestions),
        ]
        let list = numbers.map { "<div><dt>\($0.1)</dt><dd>\($0.0)</dd></div>" as Markup }
        return section(
            .summary,
            """
            <dl class="figures">\(list)</dl>
            <ul class="verdicts">\(verdicts.map { "<li class=\"\($0.0)\">\($0.1)</li>" as Markup })</ul>
            """)
    }

    private var verdicts: [(String, Markup)] {
        var verdicts: [(String, Markup)] = []
        if let problem = verification.report?.problem {
            verdicts.append(("bad", "<a href=\"#proof\">\(words.doesNotFit)</a> \(problem.message)"))
        } else if verification.report != nil {
            verdicts.append(("good", "<a href=\"#proof\">\(words.fits)</a>"))
        } else {
            verdicts.append(("open", "<a href=\"#proof\">\(words.notChecked)</a>"))
        }
        verdicts.append(
            figures.kept.keptNow == 0
                ? ("good", "<a href=\"#keeping\">\(words.nothingIsKeptNow)</a>")
                : ("open", "<a href=\"#keeping\">\(words.isKeptNow(figures.kept.keptNow))</a>"))
        verdicts.append(
            figures.questions == 0
                ? ("good", "<a href=\"#questions\">\(words.noQuestions)</a>")
                : ("open", "<a href=\"#questions\">\(words.someQuestions(figures.questions))</a>"))
        return verdicts
    }
}
