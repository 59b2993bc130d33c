import Authorization

struct EnglishReportWording: ReportWording {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    func date(_ moment: LocalMoment) -> String {
        "\(moment.day) \(Self.months[(moment.month + 11) % 12]) \(moment.year)"
    }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment)), \(clock(moment))" }

    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment)
        case .day: date(moment)
        case .week: "week of \(date(moment))"
        case .month: "\(Self.months[(moment.month + 11) % 12]) \(moment.year)"
        case .year: "\(moment.year)"
        }
    }

    func duration(_ milliseconds: Int64) -> String {
        let (hours, minutes, seconds) = parts(milliseconds)
        if hours > 0 { return "\(count(Int(hours))) h \(minutes) min" }
        if minutes > 0 { return seconds > 0 && minutes < 10 ? "\(minutes) min \(seconds) s" : "\(minutes) min" }
        return "\(seconds) s"
    }

    var title: String { "Who listened, and when" }
    var skip: String { "Skip to the report" }
    var contents: String { "Contents" }

    func name(of section: ReportSection) -> String {
        switch section {
        case .summary: "At a glance"
        case .timeline: "When programs listened"
        case .answers: "Asked and answered"
        case .programs: "Each program"
        case .keeping: "Kept and erased"
        case .sharing: "Shared"
        case .questions: "Open questions"
        case .proof: "What is proven"
        case .appendix: "All records by kind"
        }
    }

    func footer(_ log: String) -> String {
        "Made by VoiceGate from the consent log \(log). This page loads nothing and runs nothing."
    }

    var emptyLog: String { "No records match." }
    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) to \(last)" }
    var coversName: String { "Covers" }
    var madeName: String { "Made" }
    var timesName: String { "Times in" }
    var everything: String { "the whole log" }
    var onlyProgram: String { "only the program" }
    var onlySubject: String { "only the person" }
    func since(_ moment: String) -> String { "from \(moment)" }
    func until(_ moment: String) -> String { "before \(moment)" }
    var unknownProgram: String { "a program whose name was erased" }

    var timesListened: String { "times listened" }
    var listeningInAll: String { "of listening" }
    var programsSeen: String { "programs" }
    var grantsAndDenials: String { "allowed / denied" }
    var itemsKept: String { "kept now" }
    var openQuestions: String { "open questions" }
    var nothingIsKeptNow: String { "Nothing is kept now." }
    func isKeptNow(_ count: Int) -> String {
        count == 1 ? "One item is kept now." : "\(self.count(count)) items are kept now."
    }
    var noQuestions: String { "There are no open questions." }
    func someQuestions(_ count: Int) -> String {
        count == 1 ? "One question is open." : "\(self.count(count)) questions are open."
    }

    func leftOut(_ count: Int, _ file: String) -> String {
        "\(self.count(count)) more are not shown here. All of them are in \(file) of the bundle."
    }
    func morePrograms(_ count: Int) -> String {
        "\(self.count(count)) more programs are not shown here. All of them are in accesses.csv of the bundle."
    }

    var whenColumn: String { "When" }
    var programColumn: String { "Program" }
    var timesColumn: String { "Times" }
    var durationColumn: String { "How long" }
    var deviceColumn: String { "From" }
    var endedColumn: String { "Ended" }
    var sinceColumn: String { "Kept since" }
    var kindColumn: String { "What" }
    var sizeColumn: String { "Size" }
    var untilColumn: String { "Until" }
    var whatColumn: String { "What" }
    var whyColumn: String { "Why" }
    var declaredColumn: String { "Declared" }
    var enforcedColumn: String { "Verified" }
    var handedOnColumn: String { "Sent to" }
    var kindNameColumn: String { "Name in the log" }
    var numberColumn: String { "Records" }

    var nobodyAsked: String { "No permission was requested, and nothing was decided." }
    var answersIntro: String {
        "All decisions, newest first, each with the notice as it was shown."
    }
    var erasedValue: String { "erased" }
    var fieldsErased: String { "its contents were erased" }
    func about(_ program: Markup, _ resource: String) -> Markup { "\(program) · \(resource)" }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch state {
        case .requested: "Asked"
        case .given:
            switch scope {
            case .once: "Allowed once"
            case .whileInUse: "Allowed while using"
            case .always: "Allowed always"
            case nil: "Allowed"
            }
        case .renewed: "Allowed again"
        case .refused: "Not allowed"
        case .deferred: "Not now"
        case .withdrawn: "Withdrawn"
        case .expired: "Expired"
        case .revoked: "Forbidden by the administrator"
        }
    }

    var carriedOver: String { "The program was updated and kept its permission" }
    var muted: String { "Everything was muted." }
    var unmuted: String { "The mute ended." }

    func way(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "at the terminal"
        case .agent: "at an agent’s terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case .administrator: "by the administrator"
        }
    }

    func reason(_ reason: String) -> String {
        switch reason {
        case "unused": "unused for a long time"
        case "clockSetBack": "its age is unknown because the clock was set back"
        default: reason
        }
    }

    func question(_ word: String) -> String? {
        switch word {
        case "identityChanged": "Asked because the program had changed."
        case "upgradeToAlways": "Asked because the program requested always."
        case "review": "Asked to review a lasting permission."
        case "temporaryFullFidelity": "Asked for every word in one session."
        default: nil
        }
    }

    var whatWasShown: String { "What was shown" }

    var noPrograms: String { "No program asked for anything." }
    var standingTitle: String { "Permissions" }
    var fourItems: String { "What it declares about data" }
    var neverAnswered: String { "This report has no decision about it." }
    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome), \(date)" }
    var noNotice: String { "This report has no notice of it." }
    func asShown(_ record: Int) -> String { "As it was shown last, in record \(record)." }

    var nobodyListened: String { "No program listened." }
    var allPrograms: String { "All programs together" }

    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String {
        let column =
            switch unit {
            case .hour: "an hour"
            case .day: "a day"
            case .week: "a week"
            case .month: "a month"
            case .year: "a year"
            }
        return
            "Each bar is \(column); its height is how long a program listened. The highest is \(tallest)."
    }

    var sameAsTable: String { "The same as a table" }
    var usageCaption: String { "How often and how long each program listened" }
    var latestSessions: String { "Latest sessions" }
    func use(_ times: Int, _ duration: String) -> String {
        times == 1 ? "once, \(duration)" : "\(count(times)) times, \(duration)"
    }
    func stripDescription(_ use: String, _ most: String) -> String { "Listened \(use). Most: \(most)." }
    func bar(_ label: String, _ use: String) -> String { "\(label): \(use)" }
    var soundFile: String { "a sound file" }

    func ending(_ reason: String) -> String {
        switch reason {
        case "ended": "by the program"
        case "silence": "silence"
        case "cancelled": "cancelled"
        case "revoked": "the permission was withdrawn"
        case "restricted": "forbidden by policy"
        case "muted": "muted"
        case "background": "went to the background"
        case "deviceLost": "the device was disconnected"
        case "failed": "a failure"
        case "disconnected": "the program disconnected"
        case "serviceStopped": "the service was stopped"
        default: reason
        }
    }

    var neverListened: String { "It never listened." }
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "Listened \(use): \(first)." : "Listened \(use), first \(first), last \(last)."
    }
    func filesRead(_ count: Int) -> String {
        count == 1 ? "One of these was a sound file." : "\(self.count(count)) of these were sound files."
    }
    func refusedFor(_ reasons: String) -> String { "Refused: \(reasons)." }

    func refusal(_ code: String) -> String {
        switch code {
        case "notDetermined": "not decided yet"
        case "denied": "the user denied it"
        case "restricted": "forbidden by policy"
        case "identityChanged": "the program had changed"
        case "missingUsageDescription", "missingPurpose": "no usage description"
        case "noAnswer": "no answer"
        case "notInUse": "it was in the background"
        case "muted": "everything was muted"
        case "reducedFidelity": "only its phrases were allowed"
        case "untrusted": "it could not be trusted"
        case "tooManyRequests": "it asked too often"
        case "recordingFailed": "the log could not be written"
        default: code
        }
    }

    var nothingWasKept: String { "Nothing was kept: no recording, no transcript, no profile of a voice." }
    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "\(count(kept)) kept, \(count(erased)) erased since, \(count(now)) kept now."
    }
    var untilTakenBack: String { "until the permission is withdrawn" }
    var keptNowTitle: String { "Kept now" }
    var erasedTitle: String { "Erased" }
    func erasureReason(_ reason: String) -> String {
        switch reason {
        case "retentionEnded": "its retention ended"
        case "withdrawn": "the permission was withdrawn"
        case "requested": "the user requested it"
        case "incomplete": "the service ended while it was being written"
        default: reason
        }
    }
    func recordsErased(_ count: Int) -> String {
        count == 1 ? "fields of one record" : "fields of \(self.count(count)) records"
    }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        let items = count == 1 ? "one item" : "\(self.count(count)) items"
        return kinds.isEmpty ? items : "\(items): \(kinds)"
    }

    var nothingToShare: String { "No program listened, so nothing could be shared." }
    var sharingIntro: String {
        "A declaration is the program’s own claim. “Without a network” was verified: VoiceGate found that the program "
            + "had no network and could send nothing."
    }
    func sharing(_ word: String, _ count: Int) -> String {
        let text =
            switch word {
            case "verified": "without a network"
            case "declared": "declares no recipients, not verified"
            case "shared": "declares recipients"
            case "undeclared": "declares nothing"
            default: word
            }
        return "\(text) (\(self.count(count)))"
    }
    var notEnforced: String { "not checked" }
    var handedOnNothing: String { "nothing recorded" }
    func handedOn(_ count: Int) -> String { count == 1 ? "once, to" : "\(self.count(count)) times, to" }

    var questionsIntro: String { "These need not be errors, but each needs an explanation." }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "Listening without a permission"
        case .withoutEnd: "Sessions without an end"
        case .keptTooLong: "Kept longer than declared"
        case .unusedGrant: "Allowed, but never used"
        case .longUnasked: "Used long after the last decision"
        case .unanswered: "Questions without an answer"
        case .clock: "The clock was set back"
        case .erased: "Erased records"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutGrant: "A session began without an earlier permission in the log. This should never happen."
        case .withoutEnd:
            "A session began, and no record has its end. It may still run, or the machine was switched off."
        case .keptTooLong: "The retention has ended, and no record says that the item was erased."
        case .unusedGrant: "It was allowed, and no session used that. Is the permission still needed?"
        case .longUnasked: "The user was last asked more than 30 days before the last use. Do they still know?"
        case .unanswered: "A question was shown, and no answer is recorded. It allowed nothing."
        case .clock:
            "A record has an earlier time than the one before it. Times near it may be wrong; the order is right."
        case .erased: "These records keep their position and their proof, but their contents were erased."
        }
    }

    func record(_ index: Int) -> String { "record \(index)" }
    func daysAfterGrant(_ days: Int) -> String { "\(count(days)) days after the permission" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds)) s back" }

    var fits: String { "The log verifies." }
    var doesNotFit: String { "The log does not verify." }
    var notChecked: String { "The log was not verified." }
    func allFit(_ records: Int) -> String { "The log verifies: all \(count(records)) records are consistent." }

    var provenTitle: String { "Proven" }
    var notProvenTitle: String { "Not proven" }
    var nothingProven: String { "Nothing. Treat this page as a claim." }
    var fitTogether: String {
        "No record was changed, removed, inserted or moved, unless the whole log was rewritten from that position on."
    }
    var coveredWhole: String {
        "These are all records up to the checkpoint: its root was computed from the records themselves."
    }
    var coveredByProofs: String {
        "Each record here belongs to the log: its proof leads to the root of the checkpoint."
    }
    var notCovered: String {
        "This page alone cannot prove its own numbers. The bundle can: voicegate audit export --format bundle."
    }
    var signed: String {
        "The checkpoint is signed with the log’s key. An earlier checkpoint that was kept elsewhere shows that nothing before it "
            + "was changed, not even by the administrator of this machine."
    }
    func erasedKeepPlace(_ records: Int) -> String {
        "The contents of \(count(records)) records were erased, each with a record of it; their positions remain."
    }
    var notProven: [String] {
        [
            "Anything after the last checkpoint that is kept elsewhere: an attacker who controls this machine could have rewritten it.",
            "What programs declare: their names, purposes, retention and recipients.",
            "Recordings without VoiceGate: a program with access to the sound device itself is not in this log.",
            "That the user at the screen was the one whose voice was heard.",
        ]
    }
    var neverPublished: String {
        "No checkpoint of this log has left the machine, as far as the log knows: voicegate audit checkpoint --publish"
    }
    func published(_ records: Int, _ moment: String) -> String {
        "The last checkpoint that left the machine, \(moment), covers the first \(count(records)) records. It went to"
    }
    var checkYourself: String {
        "To check it without VoiceGate: the bundle has the records, the checkpoint, the proofs and the key, with instructions in "
            + "README.txt."
    }

    var recordsName: String { "Records" }
    var rootName: String { "Root" }
    var keyName: String { "Key" }
    var logName: String { "Log" }

    func appendixIntro(_ records: Int) -> String { "This report was made from \(count(records)) records." }

    func kind(_ kind: String) -> String? { Self.kinds[kind] }

    private static let kinds: [String: String] = [
        "log.genesis": "the log began", "notice.shown": "a question was shown", "notice.changed": "a notice changed",
        "decision.asked": "a permission was requested", "decision.granted": "a permission",
        "decision.renewed": "a permission was renewed",
        "decision.denied": "a denial", "decision.deferred": "deferred",
        "decision.withdrawn": "a decision was withdrawn",
        "decision.used": "a permission was used again", "decision.expired": "a permission expired",
        "decision.upgradeRequested": "a program requested always",
        "identity.carriedOver": "an updated program kept its permission",
        "restricted.by_policy": "forbidden by policy", "revoked.by_admin": "revoked by the administrator",
        "access.blocked": "an access was refused", "session.started": "listening began",
        "session.stopped": "listening ended", "recognizer.failed": "the recogniser failed",
        "data.retained": "something was kept", "data.notKept": "something could not be kept",
        "data.erased": "something was erased",
        "data.shared": "data was shared", "request.received": "a request about the user’s data arrived",
        "request.answered": "a request about the user’s data was answered", "export.made": "an export was made",
        "policy.changed": "the policy changed", "key.rotated": "the log’s key changed",
        "checkpoint.published": "a checkpoint left the machine", "recovery": "the log was recovered",
        "clock.jump": "the clock jumped", "service.muted": "everything was muted",
        "service.unmuted": "the mute ended",
        "monitor.registered": "a monitor was set up", "monitor.removed": "a monitor was removed",
        "monitor.paused": "a monitor paused", "monitor.resumed": "a monitor resumed",
        "monitor.triggered": "a monitor was triggered", "monitor.failed": "a monitor failed",
        "monitor.exited": "a monitor’s program ended",
    ]

    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate: who listened, when, who allowed it, and what became of the data
        ==========================================================================

        Made \(madeAt) from the consent log \(log).
        It contains personal data. Store it accordingly.

        To read it: report.html, in any browser. It loads nothing and runs nothing.

        report.html       the report, for people
        accesses.csv      each session and each refused access
        decisions.csv     each question, answer and withdrawal
        accesses.ndjson   accesses to the microphone, in the format of Apple's App Privacy Report
        consent.jsonld    linked data: W3C Data Privacy Vocabulary 2.3
        records.jsonl     the records as they are in the log: leaf, disclosures\(whole ? "" : ", proof")
        notices/          the notices as they were shown; the name is the text's SHA-256
        scope.json        the scope of the export
        checkpoint        size and root of the log, signed
        log.vkey          the keys of the log, the newest last
        \(whole ? "" : "proofs/           for each record the proof that it is in the log\n")\
        SHA256SUMS        of all files; SHA256SUMS.note is its signature

        To check it
        -----------

        With VoiceGate, on any machine: voicegate audit verify FOLDER. Without:

        1. The files:       sha256sum --check SHA256SUMS
        2. The signatures:  checkpoint and SHA256SUMS.note are signed notes (https://c2sp.org/signed-note), to be checked
                            with the last line of log.vkey.
        3. The records:     \(whole
            ? "the leaves, in order, hashed as RFC 6962 says, give the root in checkpoint."
            : "each file in proofs/ leads from a leaf to the root in checkpoint (https://c2sp.org/tlog-proof).")
        4. The fields:      each disclosure's SHA-256 (base64url) is in its leaf under _sd.

        Compare the key with one from another source: an earlier bundle, from a checkpoint that was published, or at the
        machine with: voicegate audit checkpoint. A key that comes with the data proves only that the two belong together.

        Not proven: anything after the last checkpoint that is kept elsewhere, what programs declare, and recordings
        without VoiceGate.

        """
    }
}
