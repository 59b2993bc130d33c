/// The words of a notice. Names and texts of clients come cleaned.
public protocol NoticeWording: Sendable {
    /// - Parameter client: the name as it is shown.
    func title(_ question: Question, client: String, resource: Resource) -> String
    /// Above what settings show of a client and a resource, where nothing is asked.
    func settingsTitle(client: String, resource: Resource) -> String

    /// The names of the four items: what is collected, for what, how long it is kept, and who else gets it.
    var collected: String { get }
    var purpose: String { get }
    var kept: String { get }
    var shared: String { get }

    func name(of kind: DataKind) -> String
    /// Between the members of a list.
    var listSeparator: String { get }
    var nothingIsKept: String { get }
    /// A sentence: VoiceGate itself keeps it, for how long, and where.
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String
    /// How long, as a person says it.
    func duration(_ count: Int, _ unit: KeepingUnit) -> String
    /// A retention in words of ours.
    func retention(_ time: KeepingTime) -> String
    /// Behind a retention in the client's words, which may not end as a sentence does.
    var sentenceSeparator: String { get }
    var sharedWithNobody: String { get }
    func sharedWith(_ recipients: String) -> String
    /// The manifest is silent about recipients, which is no promise that there are none.
    var sharingNotDeclared: String { get }
    /// The name of a program without a manifest that uses another client.
    func name(ofProgram program: String, usedWith client: String) -> String
}
