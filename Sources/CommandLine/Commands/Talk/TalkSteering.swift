/// Turns keys into listening and not listening.
struct TalkSteering: Sendable {
    let steering: SessionSteering
    let end: @Sendable () -> Void

    func follow(_ terminal: TalkTerminal) async {
        var isTalking = false
        for await key in terminal.keys() {
            switch key {
            case .pressed: isTalking = true
            case .released: isTalking = false
            case .struck: isTalking.toggle()
            case .end: end()
            case .canTellReleases: break
            }
            await steering.talk(isTalking)
        }
    }
}
