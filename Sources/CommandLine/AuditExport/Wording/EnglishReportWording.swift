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
}

extension EnglishReportWording {
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

    var emptyLog: String { "There are no records of what was asked for." }
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
    var yesesAndNoes: String { "yes / no" }
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
    var declaredColumn: String { "The program says" }
    var enforcedColumn: String { "VoiceGate saw" }
    var handedOnColumn: String { "Handed on" }
    var kindNameColumn: String { "Name in the log" }
    var numberColumn: String { "Records" }
}

extension EnglishReportWording {
    var nobodyAsked: String { "Nobody was asked, and nothing was decided." }
    var answersIntro: String {
        "Every answer, newest first. Each keeps the text that was on the screen when it was given."
    }
    var erasedValue: String { "erased" }
    var fieldsErased: String { "what it said was erased" }
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
        case .withdrawn: "Taken back"
        case .expired: "Expired"
        case .revoked: "Forbidden by the administrator"
        }
    }

    var carriedOver: String { "The program was updated and kept its yes" }
    var muted: String { "Everything was muted." }
    var unmuted: String { "The muting ended." }

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
        case "clockSetBack": "its age could not be told, because the clock was set back"
        default: reason
        }
    }

    func question(_ word: String) -> String? {
        switch word {
        case "identityChanged": "Asked because the program had changed."
        case "upgradeToAlways": "Asked because the program wants it always."
        case "review": "Asked to look at a lasting yes again."
        case "temporaryFullFidelity": "Asked for every word in one session."
        default: nil
        }
    }

    var whatWasShown: String { "What was shown" }

    var noPrograms: String { "No program asked for anything." }
    var standingTitle: String { "How it stands" }
    var fourItems: String { "What it says about data" }
    var neverAnswered: String { "No answer about it is in this report." }
    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome), \(date)" }
    var noNotice: String { "No notice of it is in this report." }
    func asShown(_ record: Int) -> String { "As it was shown last, in record \(record)." }
}

extension EnglishReportWording {
    var nobodyListened: String { "Nobody listened." }
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
            "Each bar is \(column); the higher it is, the longer a program listened. The highest stands for \(tallest)."
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
        case "revoked": "the yes was taken back"
        case "restricted": "forbidden by policy"
        case "muted": "muted"
        case "background": "went to the background"
        case "deviceLost": "the device was gone"
        case "failed": "a failure"
        case "disconnected": "the program was gone"
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
        case "notDetermined": "nobody had answered yet"
        case "denied": "the answer was no"
        case "restricted": "forbidden by policy"
        case "identityChanged": "the program had changed"
        case "missingUsageDescription", "missingPurpose": "it did not say why"
        case "noAnswer": "nobody answered"
        case "notInUse": "it was in the background"
        case "muted": "everything was muted"
        case "reducedFidelity": "only its phrases were allowed"
        case "untrusted": "it could not be trusted"
        case "tooManyRequests": "it asked too often"
        case "recordingFailed": "the log could not be written"
        default: code
        }
    }
}

extension EnglishReportWording {
    var nothingWasKept: String { "Nothing was kept: no recording, no transcript, no profile of a voice." }
    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "\(count(kept)) kept, \(count(erased)) erased since, \(count(now)) kept now."
    }
    var untilTakenBack: String { "until the yes is taken back" }
    var keptNowTitle: String { "Kept now" }
    var erasedTitle: String { "Erased" }
    func erasureReason(_ reason: String) -> String {
        switch reason {
        case "retentionEnded": "its time was over"
        case "withdrawn": "the yes was taken back"
        case "requested": "it was asked for"
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

    var nothingToShare: String { "Nobody listened, so there was nothing to share." }
    var sharingIntro: String {
        "What a program says is its own word. “Without a network” is not: VoiceGate itself saw that the program had none, "
            + "so it could send nothing away."
    }
    func sharing(_ word: String, _ count: Int) -> String {
        let text =
            switch word {
            case "verified": "without a network"
            case "declared": "says nobody, not checked"
            case "shared": "says that it shares"
            case "undeclared": "says nothing"
            default: word
            }
        return "\(text) (\(self.count(count)))"
    }
    var notEnforced: String { "not looked at" }
    var handedOnNothing: String { "nothing on record" }
    func handedOn(_ count: Int) -> String { count == 1 ? "once, to" : "\(self.count(count)) times, to" }

    var questionsIntro: String { "None of this has to be wrong, but somebody should be able to explain it." }

    func title(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "Listening without a yes"
        case .withoutEnd: "Sessions without an end"
        case .keptTooLong: "Kept longer than promised"
        case .unusedYes: "Yes, but never used"
        case .longUnasked: "Used long after the last yes"
        case .unanswered: "Questions without an answer"
        case .clock: "The clock was set back"
        case .erased: "Erased records"
        }
    }

    func explanation(of kind: Oddity.Kind) -> String {
        switch kind {
        case .withoutYes: "A session began, and no yes stands before it in the log. This should never happen."
        case .withoutEnd:
            "A session began, and nothing says when it ended. It may still run, or the machine was switched off."
        case .keptTooLong: "The time it was to be kept is over, and nothing says that it was erased."
        case .unusedYes: "Somebody allowed it, and no session ever stood on that. Is the yes still needed?"
        case .longUnasked: "The person was last asked more than 30 days before it was last used. Do they still know?"
        case .unanswered: "A question was shown, and no answer to it is on record. Nothing was allowed by that."
        case .clock:
            "A record bears an earlier time than the one before it. Times around it may be wrong; the order is not."
        case .erased: "These records keep their place and their proof, but what they said is gone."
        }
    }

    func record(_ index: Int) -> String { "record \(index)" }
    func daysAfterYes(_ days: Int) -> String { "\(count(days)) days after the yes" }
    func secondsBack(_ seconds: Int) -> String { "\(count(seconds)) s back" }
}

extension EnglishReportWording {
    var fits: String { "The log verifies." }
    var doesNotFit: String { "The log does not verify." }
    var notChecked: String { "The log was not verified." }
    func allFit(_ records: Int) -> String { "The log verifies: all \(count(records)) records fit together." }

    var provenTitle: String { "Proven" }
    var notProvenTitle: String { "Not proven" }
    var nothingProven: String { "Nothing. Treat everything on this page as a claim." }
    var fitTogether: String {
        "No record was changed, removed, added or moved, unless somebody wrote the whole log anew from there on."
    }
    var coveredWhole: String {
        "These are all records up to the checkpoint: its root was computed again from the records themselves."
    }
    var coveredByProofs: String {
        "Each record here belongs to the log: its proof leads to the root of the checkpoint."
    }
    var notCovered: String {
        "This page alone cannot prove its own numbers. The bundle can: voicegate audit export --format bundle."
    }
    var signed: String {
        "The checkpoint is signed with the log’s key. Whoever has an earlier one from elsewhere can show with it that nothing "
            + "before it was changed, not even by the administrator of this machine."
    }
    func erasedKeepPlace(_ records: Int) -> String {
        "What \(count(records)) records said was erased, each with a record of it; they are still in their place."
    }
    var notProven: [String] {
        [
            "What was written after the last checkpoint that is held elsewhere: who controls this machine could have "
                + "written that part anew.",
            "What programs say about themselves: their names, purposes, how long they keep data, and with whom they share it.",
            "What went past VoiceGate: a program with rights to the sound device itself is not in this log.",
            "That the person at the screen was the one whose voice was heard.",
        ]
    }
    var neverPublished: String {
        "No checkpoint of this log has left the machine, as far as the log knows: voicegate audit checkpoint --publish"
    }
    func published(_ records: Int, _ moment: String) -> String {
        "The last checkpoint that left the machine, \(moment), covers the first \(count(records)) records. It went to"
    }
    var checkYourself: String {
        "To check it without VoiceGate: the bundle holds the records, the checkpoint, the proofs and the key, with a recipe in "
            + "README.txt."
    }

    var recordsName: String { "Records" }
    var rootName: String { "Root" }
    var keyName: String { "Key" }
    var logName: String { "Log" }

    func appendixIntro(_ records: Int) -> String { "This report was made from \(count(records)) records." }

    func kind(_ kind: String) -> String? { Self.kinds[kind] }

    private static let kinds: [String: String] = [
        "log.genesis": "the log begins", "notice.shown": "a question was shown", "notice.changed": "a notice changed",
        "decision.asked": "a question was put", "decision.granted": "a yes", "decision.renewed": "a yes was renewed",
        "decision.denied": "a no", "decision.deferred": "put off", "decision.withdrawn": "an answer was taken back",
        "decision.used": "a yes was used again", "decision.expired": "a yes expired",
        "decision.upgradeRequested": "a program asked for always",
        "identity.carriedOver": "an updated program kept its yes",
        "restricted.by_policy": "forbidden by policy", "revoked.by_admin": "revoked by the administrator",
        "access.blocked": "an access was refused", "session.started": "listening began",
        "session.stopped": "listening ended", "recognizer.failed": "the recogniser failed",
        "data.retained": "something was kept", "data.notKept": "something could not be kept",
        "data.erased": "something was erased",
        "data.shared": "something was handed on", "request.received": "a request about one’s data came in",
        "request.answered": "a request about one’s data was answered", "export.made": "an export was made",
        "policy.changed": "the policy changed", "key.rotated": "the log’s key changed",
        "checkpoint.published": "a checkpoint left the machine", "recovery": "the log was recovered",
        "clock.jump": "the clock jumped", "service.muted": "everything was muted",
        "service.unmuted": "the muting ended",
        "monitor.registered": "a monitor was set up", "monitor.removed": "a monitor was removed",
        "monitor.paused": "a monitor paused", "monitor.resumed": "a monitor went on",
        "monitor.triggered": "a monitor heard what it waited for", "monitor.failed": "a monitor failed",
        "monitor.exited": "what a monitor started ended",
    ]
}

extension EnglishReportWording {
    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate: who listened, when, on whose yes, and what became of it
        ==================================================================

        Made \(madeAt) from the consent log \(log).
        It is about people. Keep it as you would keep their letters.

        To read it: report.html, in any browser. It loads nothing and runs nothing.

        report.html       the report, for people
        accesses.csv      each session and each refused access
        decisions.csv     each question, answer and withdrawal
        accesses.ndjson   accesses to the microphone, in the shape of Apple's App Privacy Report
        consent.jsonld    the same for machines: W3C Data Privacy Vocabulary 2.3
        records.jsonl     the records as they are in the log: leaf, disclosures\(whole ? "" : ", proof")
        notices/          the questions as they were shown; the name is the text's SHA-256
        scope.json        what was asked for
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
        4. The fields:      each disclosure's SHA-256 (base64url) stands in its leaf under _sd.

        Compare the key with one that you got another way: from an earlier bundle, from a checkpoint that was published, or at the
        machine with: voicegate audit checkpoint. A key that comes with the data proves only that the two belong together.

        What this does not prove: what was written after the last checkpoint held elsewhere, what programs say about
        themselves, and what went past VoiceGate.

        """
    }
}
