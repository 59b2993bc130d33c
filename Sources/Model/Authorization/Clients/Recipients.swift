/// Who receives what a client hears, beside the client: the one place that says so.
public enum Recipients {
    /// The names that the client's manifest declares, and that of an engine outside of the service. Each once, in that
    /// order. Empty: nobody, as far as is declared.
    public static func of(_ client: Client, engine: SpeechEngine) -> [String] {
        var names = client.manifest?.practices.recipients ?? []
        if case .outside(let name) = engine, !names.contains(name) { names.append(name) }
        return names
    }
}
