/// What a person is made to confirm.
enum ConfirmedDeed: Sendable, Hashable {
    case answer
    case settings
}
