import Authorization

extension Prompt {
    /// A complete prompt of an invented client.
    public static func example(
        cookie: String = "cookie", client: String = "org.example.notes", resource: Resource = .microphone,
        name: String = "Notes", process: Int32 = 100, question: Question = .firstUse, phrases: [String] = []
    ) throws -> Prompt {
        guard let identifier = ClientIdentifier(rawValue: client) else { throw NotAnIdentifier() }
        let manifest = Manifest(
            identifier: identifier, name: name, executablePath: "/usr/bin/notes",
            usageDescriptions: [
                .microphone: "Listens while you hold the key.", .speechRecognition: "Writes down what you say.",
            ],
            practices: DataPractices(
                kinds: [.liveAudio, .transcript], purpose: "Writing notes.", retention: nil, recipients: []),
            phrases: phrases)
        let requester = Requester(
            caller: Caller(
                process: ProcessIdentity(processIdentifier: process, startTime: 1), user: 1000,
                executable: Executable(path: "/usr/bin/notes", device: 1, inode: 2, sha256: "00")),
            client: Client(manifest: manifest), presence: .foreground)
        guard let notice = Notice(client: requester.client, resource: resource, question: question) else {
            throw NotAnIdentifier()
        }
        return Prompt(cookie: cookie, requester: requester, resource: resource, question: question, notice: notice)
    }

    private struct NotAnIdentifier: Error {}
}
