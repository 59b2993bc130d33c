import Foundation

extension IndicatorReply.Session {
    /// Who uses what since when, as a sentence without its full stop.
    ///
    /// - Parameter time: how a moment is written.
    public func sentence(_ time: (Date) -> String) -> String {
        var text = "\(name) (\(client), process \(processIdentifier)) "
        if let endedAt {
            text += (device.map { "listened on \($0)" } ?? "transcribed a file") + " until " + time(endedAt)
        } else {
            text += (device.map { "listens on \($0)" } ?? "transcribes a file") + " since " + time(startedAt)
            if presence == .background { text += paused ? ", paused in the background" : ", in the background" }
        }
        switch sharing {
        case .verified: text += ", no network (verified)"
        case .declared: text += ", says that nothing is shared"
        case .shared, .undeclared, nil: break
        }
        return text
    }
}
