import Authorization
import Consent

/// The texts without values, as the English ones.
enum ReportText: String {
    // MARK: The page

    case title = "Who listened, and when"
    case skip = "Skip to the report"
    case contents = "Contents"
    case emptyLog = "No records match."
    case coversName = "Covers"
    case madeName = "Made"
    case timesName = "Times in"
    case everything = "the whole log"
    case onlyProgram = "only the program"
    case onlySubject = "only the person"
    case unknownProgram = "a program whose name was erased"

    // MARK: Figures

    case timesListened = "Times listened"
    case listened = "Listened"
    case filesTranscribed = "Files transcribed"
    case transcribed = "Transcribed"
    case programsSeen = "programs"
    case grantsAndDenials = "allowed / denied"
    case itemsKept = "kept now"
    case openQuestions = "open questions"
    case nothingIsKeptNow = "Nothing is kept now."
    case noQuestions = "There are no open questions."

    // MARK: Heads of columns

    case whenColumn = "When"
    case programColumn = "Program"
    case notHeardColumn = "Not heard"
    case allowedByColumn = "Allowed by"
    case deviceColumn = "From"
    case engineColumn = "Recognised by"
    case endedColumn = "Ended"
    case sinceColumn = "Kept since"
    case sizeColumn = "Size"
    case untilColumn = "Until"
    case whatColumn = "What"
    case whyColumn = "Why"
    case declaredColumn = "Declared"
    case enforcedColumn = "Verified"
    case handedOnColumn = "Sent to"
    case kindNameColumn = "Name in the log"
    case numberColumn = "Records"

    // MARK: Requests, decisions and permissions

    case nobodyAsked = "No permission was requested, and nothing was decided."
    case answersIntro = "All decisions, newest first, each with the notice as it was shown."
    /// Stands for an erased field.
    case erasedValue = "erased"
    case fieldsErased = "its contents were erased"
    case carriedOver = "The program was updated and kept its permission"
    case muted = "Everything was muted."
    case unmuted = "The mute ended."
    case whatWasShown = "What was shown"
    case noPrograms = "No program asked for anything."
    case standingTitle = "Permissions"
    case fourItems = "What it declares about data"
    case askNextTime = "ask next time"
    /// A question about an always waits for the user.
    case alwaysToConfirm = "always when you have confirmed it: a question will come, voicegate agent must run"
    case alwaysToReview = "a question whether to keep that will come, voicegate agent must run"
    case neverAnswered = "This report has no decision about it."
    case noNotice = "This report has no notice of it."

    // MARK: Use

    case nobodyListened = "No program listened."
    case allPrograms = "All programs together"
    case sameAsTable = "The same as a table"
    case usageCaption = "How often and how long each program listened, and what it transcribed"
    case latestSessions = "Latest sessions"
    case soundFile = "a sound file"
    case neverListened = "It never listened."

    // MARK: What was kept, erased and shared

    case nothingWasKept = "Nothing was kept: no recording, no transcript, no profile of a voice."
    case untilTakenBack = "until the permission is withdrawn"
    case keptNowTitle = "Kept now"
    case erasedTitle = "Erased"
    case nothingToShare = "No program listened or transcribed, so nothing could be shared."
    case sharingIntro = """
        A declaration is the program’s own claim. “Without a network” was verified: VoiceGate found that the program \
        had no network and could send nothing.
        """
    case notEnforced = "not checked"
    case handedOnNothing = "nothing recorded"
    case questionsIntro = "These need not be errors, but each needs an explanation."

    // MARK: What the log proves

    case fits = "The log verifies."
    case doesNotFit = "The log does not verify."
    case notChecked = "The log was not verified."
    case provenTitle = "Proven"
    case notProvenTitle = "Not proven"
    case nothingProven = "Nothing. Treat this page as a claim."
    case fitTogether =
        "No record was changed, removed, inserted or moved, unless the whole log was rewritten from that position on."
    case coveredWhole = "These are all records up to the checkpoint: its root was computed from the records themselves."
    case coveredByProofs = "Each record here belongs to the log: its proof leads to the root of the checkpoint."
    case notCovered =
        "This page alone cannot prove its own numbers. The bundle can: voicegate audit export --output FOLDER."
    case signed = """
        The checkpoint is signed with the log’s key. An earlier checkpoint that was kept elsewhere shows that nothing \
        before it was changed, not even by the administrator of this machine.
        """
    case neverPublished =
        "No checkpoint of this log has left the machine, as far as the log knows: voicegate audit checkpoint --publish FILE"
    case checkYourself = """
        To check it without VoiceGate: the bundle has the records, the checkpoint, the proofs and the key, with \
        instructions in README.txt.
        """
    case rootName = "Root"
    case keyName = "Key"
    case logName = "Log"
}

struct EnglishReportWording: ReportWording {
    func callAsFunction(_ text: ReportText) -> String { text.rawValue }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    func date(_ date: CivilDate) -> String {
        "\(date.day) \(Self.months[Int(date.month + 11) % 12]) \(date.year)"
    }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment.date)), \(clock(moment))" }

    func week(_ first: CivilDate) -> String { "week of \(date(first))" }
    func month(_ date: CivilDate) -> String { "\(Self.months[Int(date.month + 11) % 12]) \(date.year)" }
    func year(_ date: CivilDate) -> String { "\(date.year)" }

    let units = DurationUnits.english

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

    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) to \(last)" }
    func since(_ moment: String) -> String { "from \(moment)" }
    func until(_ moment: String) -> String { "before \(moment)" }

    func isKeptNow(_ count: Int) -> String {
        count == 1 ? "One item is kept now." : "\(self.count(count)) items are kept now."
    }
    func someQuestions(_ count: Int) -> String {
        count == 1 ? "One question is open." : "\(self.count(count)) questions are open."
    }

    func leftOut(_ count: Int, _ file: String) -> String {
        "\(self.count(count)) more \(count == 1 ? "is" : "are") not shown here. All of them are in \(file) of the bundle."
    }
    func morePrograms(_ count: Int) -> String {
        "\(self.count(count)) more \(count == 1 ? "program is" : "programs are") not shown here. All of them are in accesses.csv of the bundle."
    }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch (state, scope) {
        case (.requested, _): "Asked"
        case (.given, .once): "Allowed once"
        case (.given, .whileInUse): "Allowed while using"
        case (.given, .always): "Allowed always"
        case (.given, nil): "Allowed"
        case (.renewed, _): "Allowed again"
        case (.refused, _): "Not allowed"
        case (.deferred, _): "Not now"
        case (.withdrawn, _): "Withdrawn"
        case (.expired, _): "Expired"
        case (.revoked, _): "Forbidden by the administrator"
        }
    }

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

    let reasons = [
        "unused": "unused for a long time",
        "clockSetBack": "its age is unknown because the clock was set back",
        "tooMany": "the oldest of too many about programs without a manifest",
    ]

    let questions = [
        "identityChanged": "Asked because the program had changed.",
        "termsWidened": "Asked because the program declared more than was allowed.",
        "upgradeToAlways": "Asked because the program requested always.",
        "review": "Asked to review a lasting permission.",
        "temporaryFullFidelity": "Asked for every word in one session.",
    ]

    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome), \(date)" }
    func asShown(_ record: Int) -> String { "As it was shown last, in record \(record)." }

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

    func listened(_ times: Int, _ duration: String) -> String {
        times == 1 ? "listened once, \(duration)" : "listened \(count(times)) times, \(duration)"
    }
    func transcribed(_ files: Int, _ duration: String) -> String {
        files == 1 ? "transcribed one file, \(duration)" : "transcribed \(count(files)) files, \(duration)"
    }
    func stripDescription(_ use: String, _ most: String) -> String { "\(Self.begin(use)). Most: \(most)." }
    private static func begin(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
    func bar(_ label: String, _ use: String) -> String { "\(label): \(use)" }

    let endings = [
        "ended": "by the program",
        "silence": "silence",
        "cancelled": "cancelled",
        "revoked": "the permission was withdrawn",
        "restricted": "forbidden by policy",
        "muted": "muted",
        "background": "went to the background",
        "deviceLost": "the device was disconnected",
        "failed": "a failure",
        "disconnected": "the program disconnected",
        "clientStalled": "the program let the service wait too long",
        "serviceStalled": "the service did not read in time",
        "serviceStopped": "the service was stopped",
    ]

    func ground(_ ground: ListeningGround) -> String {
        switch ground {
        case .foreground: "use in the foreground"
        case .backgroundMode: "a declared background mode"
        case .always: "a permission for always"
        case .phrase: "a monitor of a phrase"
        case .sound: "a monitor of sounds"
        }
    }

    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "\(Self.begin(use)): \(first)." : "\(Self.begin(use)). First \(first), last \(last)."
    }
    func refusedFor(_ reasons: String) -> String { "Refused: \(reasons)." }

    let refusals = [
        "notDetermined": "not decided yet",
        "denied": "the user denied it",
        "restricted": "forbidden by policy",
        "identityChanged": "the program had changed",
        "termsWidened": "it declared more than was allowed",
        "missingManifest": "no manifest",
        "missingUsageDescription": "no usage description",
        "missingPurpose": "no usage description",
        "missingBackgroundMode": "no background use declared",
        "noAnswer": "no answer",
        "notInUse": "it was in the background",
        "muted": "everything was muted",
        "reducedFidelity": "only its phrases were allowed",
        "untrusted": "it could not be trusted",
        "tooManyRequests": "it asked too often",
        "recordingFailed": "the log could not be written",
    ]

    func keptAndErased(_ kept: Int, _ erased: Int, _ now: Int) -> String {
        "\(count(kept)) kept, \(count(erased)) erased since, \(count(now)) kept now."
    }
    let erasureReasons = [
        "retentionEnded": "its retention ended",
        "withdrawn": "the permission was withdrawn",
        "requested": "the user requested it",
        "incomplete": "the service ended while it was being written",
    ]
    func recordsErased(_ count: Int) -> String {
        count == 1 ? "fields of one record" : "fields of \(self.count(count)) records"
    }
    func itemsErased(_ count: Int, _ kinds: String) -> String {
        let items = count == 1 ? "one item" : "\(self.count(count)) items"
        return kinds.isEmpty ? items : "\(items): \(kinds)"
    }

    let sharings = [
        "verified": "without a network",
        "declared": "declares no recipients, not verified",
        "shared": "declares recipients",
        "undeclared": "declares nothing",
    ]
    func sharing(_ way: String, _ count: Int) -> String { "\(way) (\(self.count(count)))" }
    func handedOn(_ count: Int) -> String { count == 1 ? "once, to" : "\(self.count(count)) times, to" }

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
            """
            A session began, and no record has its end. It may still run, or the machine was switched off. How long it \
            listened is unknown, and not counted.
            """
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

    func allFit(_ records: Int) -> String { "The log verifies: all \(count(records)) records are consistent." }

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
    func published(_ records: Int, _ moment: String) -> String {
        "The last checkpoint that left the machine, \(moment), covers the first \(count(records)) records. It went to"
    }

    var recordsName: String { "Records" }
    func appendixIntro(_ records: Int) -> String { "This report was made from \(count(records)) records." }

    let kinds = [
        "log.genesis": "the log began", "notice.shown": "a question was shown", "notice.changed": "a notice changed",
        "decision.asked": "a permission was requested", "decision.granted": "a permission",
        "decision.renewed": "a permission was renewed",
        "decision.denied": "a denial", "decision.deferred": "deferred",
        "decision.withdrawn": "a decision was withdrawn",
        "decision.used": "a permission was used again", "decision.expired": "a permission expired",
        "decision.upgradeRequested": "a program requested always",
        "identity.carriedOver": "an updated program kept its permission",
        "restricted.by_policy": "forbidden by policy", "revoked.by_admin": "revoked by the administrator",
        "access.blocked": "an access was refused",
        "access.counted": "refusals were counted", "session.started": "listening began",
        "session.stopped": "listening ended", "recognizer.failed": "the recogniser failed",
        "engine.changed": "the engine changed", "collector.changed": "the recipient of the records changed",
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
        "monitor.started": "a monitor started its program",
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
        consent.jsonld    linked data: W3C Data Privacy Vocabulary 2.3
        records.jsonl     the records as they are in the log: leaf, disclosures
        notices/          the notices as they were shown; the name is the text's SHA-256
        scope.json        the scope of the export
        checkpoint        size and root of the log, signed
        log.vkey          the keys of the log, the newest last
        \(whole
            ? ""
            : """
            proofs/           for each record the proof that it is in the log
            consistency/      if it is there: proofs that the log continues smaller checkpoints

            """)\
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
