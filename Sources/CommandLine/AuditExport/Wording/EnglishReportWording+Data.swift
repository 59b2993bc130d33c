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
