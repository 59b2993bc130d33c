import Authorization
import Consent
import SocketAPI

/// Whose records a requester may read: a person their own, and in advisory mode, or as root, all; a client those about
/// itself and its user, whether it calls or runs VoiceGate's command line.
///
/// A program that no manifest describes reads none: another one may have its name.
struct AuditAccess {
    let clients: ClientResolver
    let mode: ServiceMode

    /// What of the records asked for is given.
    ///
    /// - Throws: `RouteError` with `notAllowed`.
    func filter(_ wish: AuditFilter, for requester: Requester) throws -> AuditFilter {
        var filter = wish
        filter.owner = mode.recordsOwner(for: requester.caller.user)
        guard !clients.isPerson(requester) else { return filter }
        let own = requester.client.identifier
        guard requester.client.manifest?.identifier == own, wish.client ?? own == own else {
            throw RouteError(
                .notAllowed,
                "A program reads the records about itself alone. All are read by you, at a terminal: "
                    + "voicegate audit records")
        }
        filter.client = own
        return filter
    }

    /// For what is taken out of the log as a whole, which is for the person alone.
    ///
    /// - Parameter subject: whom it is limited to. Without one an export says that it is the whole log.
    /// - Throws: `RouteError` with `notAllowed`.
    func exportOwner(_ subject: String?, for requester: Requester) throws -> UInt32? {
        try requirePerson(requester)
        guard let owner = mode.recordsOwner(for: requester.caller.user) else { return nil }
        guard subject != nil else {
            throw RouteError(
                .notAllowed,
                "The whole log is exported by root. What is about you: voicegate audit export --subject \(owner)")
        }
        return owner
    }

    /// - Throws: `RouteError` with `notAllowed`.
    func requirePerson(_ requester: Requester) throws {
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed,
                "Records are exported by the person alone. Run voicegate audit export yourself at a terminal.")
        }
    }
}
