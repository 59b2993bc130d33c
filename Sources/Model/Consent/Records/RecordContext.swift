/// What every record of a log says in the same way, besides what happened.
public struct RecordContext: Sendable {
    /// `nil`: records name no pseudonym.
    public var subjects: SubjectPseudonyms?
    /// `nil`: each client answers for its own use, under the name it declares; VoiceGate itself keeps nothing.
    public var controller: Controller?
    /// Whose law applies, such as `DE`; `nil`: nobody said.
    public var jurisdiction: String?

    public init(subjects: SubjectPseudonyms? = nil, controller: Controller? = nil, jurisdiction: String? = nil) {
        self.subjects = subjects
        self.controller = controller
        self.jurisdiction = jurisdiction
    }
}
