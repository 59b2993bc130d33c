import ArgumentParser
import CommandClient

struct ForgetCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Erase all that the machine's own service has of a user.",
        discussion: """
            For root, when a user is removed: the user's decisions, recordings, transcripts and installed manifests, and \
            the fields of the records. Another user may get the same number later. userdel(8) runs this. Without a terminal \
            --yes is required.
            """)

    @Option(help: .init("The user, by name or number; also of one that is removed already.", valueName: "user"))
    var user: String

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let planned = ["All that the service has of \(user) will be erased: decisions, what is kept, and records."]
        guard try await context.agrees(toErase: planned, erasure, isRequired: true) else { return }
        try await context.client().forget(user: user)
        try context.output.result(["user": user], note: "All that the service had of \(user) is erased.")
    }
}
