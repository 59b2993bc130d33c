import Authorization

extension DictationEnding {
    public init(_ ending: LeaseEnding) {
        switch ending {
        case .revoked: self = .revoked
        case .restricted: self = .restricted
        case .muted: self = .muted
        case .background: self = .background
        case .finished: self = .ended
        }
    }
}
