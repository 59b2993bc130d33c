import Authorization
import SocketAPI

/// What an erasure comes to, in sentences.
enum ErasureText {
    static func plan(_ reply: RecordErasureReply) -> [String] {
        guard reply.records > 0 || reply.items > 0 else {
            return ["There is nothing to erase."] + kept(reply)
        }
        return ["To be erased: \(counted(reply))."] + kept(reply)
    }

    static func result(_ reply: RecordErasureReply) -> [String] {
        let none = reply.records == 0 && reply.items == 0
        return [none ? "There was nothing to erase." : "Erased: \(counted(reply))."] + kept(reply)
    }

    private static func counted(_ reply: RecordErasureReply) -> String {
        let records = "what \(number(reply.records, "record")) said"
        return reply.items == 0 ? records : records + ", and \(number(reply.items, "recording or transcript"))"
    }

    private static func kept(_ reply: RecordErasureReply) -> [String] {
        reply.kept.map { kept in
            let reason =
                switch kept.reason {
                case .decisionInForce: "an answer of yours in force stands on them"
                case .monitorRegistered: "a registered monitor stands on them"
                case .sessionRunning: "a session that runs stands on them"
                case .endsEarlierDecision:
                    "they end decisions whose records stay, because the clock was set back in between"
                case .logItself: "they tell of the log itself, or of what was erased"
                }
            let way = kept.command.map { " To end that: \($0)" } ?? ""
            return "Kept: \(number(kept.records, "record")), because \(reason).\(way)"
        }
    }

    private static func number(_ count: Int, _ noun: String) -> String {
        guard count != 1 else { return "1 \(noun)" }
        return "\(count) " + (noun == "record" ? "records" : "recordings and transcripts")
    }
}
