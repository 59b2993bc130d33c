import Authorization

extension GateConfiguration {
    /// Asks as often as a client likes: for sequences of random answers, where many are none.
    public static var unhindered: GateConfiguration {
        var configuration = GateConfiguration()
        configuration.promptDelays = []
        return configuration
    }
}
