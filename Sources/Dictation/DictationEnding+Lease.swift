import Authorization

extension DictationEnding {
    init(_ ending: LeaseEnding) {
        switch ending {
        case .revoked: self = .revoked
        case .restricted: self = .restricted
        case .finished: self = .ended
        }
    }
}
