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
