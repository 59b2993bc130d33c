import Base
import Consent
import Foundation
import SocketAPI

/// What listens now.
extension DashboardPage {
    /// The heading: what listens now, and the button that ends it.
    var state: Markup {
        let isMuted = content.settings.muted || content.indicator.muted
        let count = Set(content.indicator.sessions.filter(\.listens).map(\.client)).count
        let title = count > 0 ? text.listening(count: count) : isMuted ? text(.muted) : text(.nothingListens)
        let style = count > 0 ? "now" : isMuted ? "muted" : "idle"
        let mute = isMuted ? nil : form("mute").button(text(.mute), "strong")
        let command = MutedBy.command(ending: content.settings.mutedBy ?? content.indicator.mutedBy)
        let unmute: Markup? = isMuted ? "<p>\(text.toUnmute(command: command))</p>" : nil
        // Only the heading is read aloud when it changes.
        return """
            <div class="state"><div id="state" data-live aria-live="polite"><h1 class="\(style)">\(title)</h1></div>
            <div id="state-actions" class="actions" data-live>\(mute)\(unmute)\
            <a id="reload" class="button" href="/">\(text(.reload))</a></div></div>
            """
    }

    var listeners: Markup? {
        guard !content.indicator.sessions.isEmpty else { return nil }
        return "<ul class=\"listeners\">\(content.indicator.sessions.map(listener))</ul>"
    }

    private func listener(_ session: IndicatorReply.Session) -> Markup {
        let clock = week.figures.clock
        func time(_ date: Date) -> String { words.clock(clock.moment(date)) }
        var facts = [session.device ?? text(.file)]
        if let phrases = session.quotedPhrases {
            facts = [text.waits(phrases: DisplayText.cleaned(phrases, limit: 200))]
        }
        facts.append(session.endedAt.map { text.until(time: time($0)) } ?? text.since(time: time(session.startedAt)))
        switch session.activity {
        case .held: facts.append(text(.held))
        case .paused: facts.append(text(.paused))
        default: break
        }
        if session.isRunning, session.held != true, session.presence == .background { facts.append(text(.background)) }
        if let engine = session.recognizer {
            facts.append(text.recognisedBy(engine: DisplayText.cleaned(engine, limit: 80)))
        }
        if session.sharing == .verified { facts.append(text(.noNetwork)) }
        if session.sharing == .declared { facts.append(text(.saysNotShared)) }
        let canEnd = session.isRunning && session.device != nil && session.phrases == nil && session.held != true
        let end = canEnd ? form("end", ["session": session.session]).button(text(.end), for: session.name) : nil
        return """
            <li class="\(session.listens ? "now" : "lately")"><div><p><strong>\(Markup.name(session.name))</strong> \
            <span class="id">\(Markup.name(session.client)) · \(text.process(number: Int(session.processIdentifier)))</span></p>\
            <p>\(facts.joined(separator: " · "))</p></div>\(end)</li>

            """
    }

    var timeline: Markup {
        let clock = week.figures.clock
        let hour = clock.hour(Timestamp(now).milliseconds)
        let today = hour.flooredDivision(by: 24).quotient
        guard !week.figures.use.isEmpty else { return "<p>\(words(.nobodyListened))</p>" }
        let week = Timeline(.day, today - 6...today)
        return """
            <h3>\(text(.lastDay))</h3>
            \(day.strips(Timeline(.hour, hour - 23...hour), prefix: "d"))
            <h3>\(text(.lastWeek))</h3>
            \(self.week.strips(week, prefix: "w"))
            <details id="week-table" class="twin"><summary>\(words(.sameAsTable))</summary>\
            \(self.week.usageTable(week))</details>
            <details id="latest"><summary>\(words(.latestSessions))</summary>\(self.week.latestSessions)</details>
            """
    }

    func form(_ action: String, _ fields: [String: String] = [:]) -> Form { Form(action, fields, formToken) }
}

/// Permissions and questions.
extension DashboardPage {
    var questions: Markup? {
        let waiting = content.settings.entries.filter { $0.question != nil }
        guard !waiting.isEmpty else { return nil }
        let lines = waiting.map { entry in
            """
            <li><div><p><strong>\(Markup.name(entry.name))</strong> \(text.waitsFor(what: resource(entry)))</p>\
            <p>\(entry.question.flatMap { words.question($0.rawValue) } ?? "")</p></div></li>
            """ as Markup
        }
        return "<p>\(text(.questionsIntro))</p><ul class=\"listeners\">\(lines)</ul>"
    }

    var permissions: Markup {
        // A program that only has a manifest has asked for nothing yet.
        let asked = Set(
            content.settings.entries.filter { $0.verdict != nil || $0.status != .notDetermined || $0.question != nil }
                .map(\.client))
        let clients = content.settings.entries.reduce(into: [String]()) { clients, entry in
            if asked.contains(entry.client), clients.last != entry.client { clients.append(entry.client) }
        }
        guard !clients.isEmpty else { return "<p>\(text(.noClients))</p>" }
        let shown = content.settings.entries.filter { $0.isDeclared || $0.verdict != nil }
        return clients.map { client in card(client, shown.filter { $0.client == client }) }.joined()
    }

    private func card(_ client: String, _ entries: [SettingsEntry]) -> Markup {
        let name = entries.first?.name ?? client
        let path = entries.lazy.compactMap { $0.program?.path ?? $0.presentProgram?.path }.first
        return """
            <article aria-labelledby="c-\(client)">
            <h3 id="c-\(client)">\(Markup.name(name))</h3>
            <p class="id">\(Markup.name(client, limit: 255))\(path.map { "<br>\(Markup.name($0, limit: 200))" as Markup })</p>
            \(entries.map(permission))
            <div class="actions"><a id="erase-\(client)" class="button" href="/erase?client=\(IRI.escaped(client))">\
            \(text(.eraseRecords)) <span class="vh">\(name)</span></a></div>
            </article>

            """
    }

    private func permission(_ entry: SettingsEntry) -> Markup {
        let own = entry.decidedAt.map { words.asOf(outcome: outcome(entry), date: time($0)) } ?? outcome(entry)
        // The person's decision stays, and counts again when the policy ends.
        var facts = entry.restriction == nil ? [own] : [words.outcome(.revoked, nil), own]
        if let way = entry.indication { facts.append(words.way(way)) }
        if let used = entry.lastUse { facts.append(text.lastUsed(time: time(used))) }
        let restriction = entry.restriction.flatMap { $0.isEmpty ? nil : $0 }
        let waits = language.words(for: entry.question)
        let notes = [entry.isChanged == true ? text(.changed) : nil, waits, restriction].compactMap { $0 }
        let allow = "voicegate settings \(entry.client) --allow \(entry.resource.rawValue)"
        let canAllow = entry.verdict == .denied || entry.status == .denied
        let action =
            entry.verdict == .authorized
            ? form("deny", ["client": entry.client, "resource": entry.resource.rawValue]).button(
                text(.deny), for: "\(entry.name), \(resource(entry))") : nil
        return """
            <div class="permission"><p>\(resource(entry))</p><p><span class="status \(tone(entry))">\(facts[0])</span>\
            \(facts.dropFirst().map { " · \($0)" as Markup })\(notes.map { "<br>\($0)" as Markup })\
            \(canAllow ? "<br>\(text(.toAllow)) <code>\(allow)</code>" : "" as Markup)</p>\(action)</div>
            \(notice(entry))
            """
    }

    /// The four items with the engine and the retention, as prompts show them.
    private func notice(_ entry: SettingsEntry) -> Markup? {
        guard let notice = entry.notice else { return nil }
        let rows = notice.split(separator: "\n").dropFirst().compactMap { line -> (String, Markup?)? in
            guard let colon = line.range(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), Markup.name(String(line[colon.upperBound...]), limit: 600))
        }
        let description = entry.usageDescription.map { "<p>\(Markup.name($0, limit: 400))</p>" as Markup }
        return """
            <details id="n-\(entry.client)-\(entry.resource.rawValue)"><summary>\(words(.fourItems))\
            <span class="vh"> \(entry.name), \(resource(entry))</span></summary>\(description)\
            \(week.definitions("rows", rows))</details>
            """
    }

    private func resource(_ entry: SettingsEntry) -> String { language.wording.resource(entry.resource) }

    private func outcome(_ entry: SettingsEntry) -> String {
        switch entry.verdict {
        case .authorized: return words.outcome(.given, entry.scope)
        case .denied: return words.outcome(.refused, nil)
        case nil: return entry.isAllowedOnce == true ? words.outcome(.given, .once) : text(.notDecided)
        }
    }

    private func tone(_ entry: SettingsEntry) -> String {
        if entry.restriction != nil || entry.verdict == .denied { return "no" }
        return entry.verdict == .authorized || entry.isAllowedOnce == true ? "yes" : ""
    }
}

/// What is kept, and what vouches for the log.
extension DashboardPage {
    var kept: Markup {
        guard !content.history.isEmpty else { return "<p>\(words(.nothingIsKeptNow))</p>" }
        let newest = content.history.reversed().prefix(60)
        let rows = newest.map { item -> [Markup] in
            [
                .name(item.name), "\(language.wording.kind(item.kind))", "\(time(item.date))",
                "\(item.until.map(time) ?? words(.untilTakenBack))", "\(words.bytes(item.bytes))",
                eraseLink(item.item, text(.erase), for: "\(item.name), \(time(item.date))"),
            ]
        }
        let heads = [ReportText.programColumn, .whatColumn, .sinceColumn, .untilColumn, .sizeColumn].map { words($0) }
        return """
            \(week.table(words(.keptNowTitle), heads: heads + [text(.erase)], rows, isNumber: [4]))\
            \(content.history.count > rows.count ? week.note("+ \(words.count(content.history.count - rows.count))") : nil)
            <div class="actions">\(eraseLink("all", text(.eraseAll)))</div>
            """
    }

    /// To the page that asks first.
    private func eraseLink(_ item: String, _ label: String, for target: String = "") -> Markup {
        let more: Markup = target.isEmpty ? "" : " <span class=\"vh\">\(target)</span>"
        return "<a id=\"erase-\(item)\" class=\"button\" href=\"/erase?kept=\(IRI.escaped(item))\">\(label)\(more)</a>"
    }

    var trust: Markup {
        var lines: [Markup] = []
        func add(_ style: String, _ text: String) { lines.append("<li class=\"\(style)\">\(text)</li>") }
        if let (report, date) = content.verification {
            if let problem = report.problem {
                add("bad", "\(words(.doesNotFit)) \(problem.message)")
            } else {
                add("good", text.verified(time: time(date)))
            }
        } else {
            switch content.health.log {
            case .intact: add("good", text(.verifiedAtStart))
            case .altered: add("bad", text(.altered))
            case .verifying, nil: add("open", text(.verifying))
            }
        }
        if let anchors = content.anchors {
            if anchors.uncovered == 0 {
                add("good", "\(text.logSize(count: Int(clamping: anchors.size))) \(text(.covered))")
            } else {
                let size = text.logSize(count: Int(clamping: anchors.size))
                add("open", "\(size) \(text.uncovered(count: Int(clamping: anchors.uncovered)))")
            }
        }
        if let known = content.publications {
            if let last = known.publications.max(by: { $0.size < $1.size }) {
                let moment = Timestamp(last.time).map { time($0.date) } ?? ""
                let place = DisplayText.cleaned(last.destination, limit: 120)
                add("good", "\(words.published(time: moment, count: words.count(Int(clamping: last.size)))) \(place)")
            } else {
                add("open", words(.neverPublished))
            }
            if let last = known.cosignatures.max(by: { $0.size < $1.size }) {
                let date = Date(timeIntervalSince1970: Double(last.seconds))
                let witness = DisplayText.cleaned(last.witness, limit: 80)
                add("good", text.witness(name: witness, count: Int(clamping: last.size), time: time(date)))
            }
        }
        return """
            <ul class="verdicts">\(lines)</ul>
            <div class="actions">\(form("verify").button(text(.verifyNow)))</div>
            """
    }

    var problems: Markup? {
        guard !content.settings.problems.isEmpty else { return nil }
        let lines = content.settings.problems.map { "<li>\(Markup.name($0, limit: 600))</li>" as Markup }
        return "<ul>\(lines)</ul>"
    }

    var export: Markup {
        let names = text(.formats).split(separator: "|")
        let options = zip(ExportFormat.offered, names).map { format, name in
            "<option value=\"\(format.rawValue)\">\(String(name))</option>" as Markup
        }
        return """
            <form method="post" action="/export"><input type="hidden" name="token" value="\(formToken)">
            <div class="actions"><label for="format">\(text(.format))</label>
            <select id="format" name="format">\(options)</select><button id="download">\(text(.download))</button></div></form>
            <p class="note">\(text(.bundleHint))</p>
            """
    }
}
