import Foundation

/// What a program requests from VoiceGate: its permissions, and text. `VoiceGateService` is the one on this machine; in the tests of
/// a program `SpeechServiceDouble` takes its place.
public protocol SpeechService: Sendable {
    /// This program's permissions. Does not ask the user.
    func permissions() async throws -> Permissions

    /// This program's permissions now, and then each change, in order. `AuthorizationManager.changes` also reconnects.
    ///
    /// - Parameter cursor: of the last event that was read before; the changes since then come first, or a gap.
    func permissionEvents(after cursor: String?) async throws -> EventStream<PermissionEvent>

    /// Asks the user if they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` if the program also needs it without the user; they are asked for that later. `nil`: `whileInUse`.
    ///   - language: what is to be recognised, such as `en`; the user is not asked if no engine of the service recognises it.
    /// - Throws: `ClientError` with `refused` for anything but a permission.
    @discardableResult
    func requestAuthorization(for resource: Resource?, scope: Scope?, language: String?) async throws -> Permissions

    /// Asks the user for full fidelity for this process's next session.
    ///
    /// - Parameter purposeKey: a key of the manifest's dictionary of purposes; its text is shown.
    /// - Throws: `ClientError` with `refused` for anything but a permission.
    @discardableResult
    func requestTemporaryFullFidelity(purposeKey: String) async throws -> Permissions

    /// Listens until the session ends, or until the stream is dropped.
    ///
    /// - Parameter request: what to listen for, and until when.
    func dictate(_ request: DictationRequest) async throws -> DictationStream

    /// Controls a running session of this program.
    ///
    /// - Parameters:
    ///   - control: `end` decodes what was heard until now, `cancel` discards it.
    ///   - session: its identifier, from the `started` event.
    func send(_ control: SessionControl, toSession session: String) async throws

    /// Turns a sound file into text. Needs speech recognition only.
    ///
    /// - Parameters:
    ///   - file: the file's bytes, read as the service takes them.
    ///   - hints: what is known about its words.
    ///   - language: what is spoken, such as `en` or `en-US`; refused if no engine of the service recognises it. `nil`: any
    ///     language of the engine.
    ///   - start: seconds; utterances that begin earlier are left out, the others do not change.
    /// - Throws: `ClientError`, or the error that reading `file` threw.
    func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, hints: TranscriptionHints, language: String?, startingAt start: Double
    ) async throws -> DictationStream where File.Element == [UInt8]
}

extension SpeechService {
    /// This program's permissions now, and then each change, in order.
    public func permissionEvents() async throws -> EventStream<PermissionEvent> {
        try await permissionEvents(after: nil)
    }

    /// Asks the user if they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: how far the permission reaches; `nil`: `whileInUse`.
    /// - Throws: `ClientError` with `refused` for anything but a permission.
    @discardableResult
    public func requestAuthorization(
        for resource: Resource? = nil, scope: Scope? = nil
    ) async throws -> Permissions {
        try await requestAuthorization(for: resource, scope: scope, language: nil)
    }

    /// Listens until the user ends the session, or until the stream is dropped.
    public func dictate() async throws -> DictationStream { try await dictate(DictationRequest()) }

    /// Turns the bytes of a sound file into text.
    ///
    /// - Parameters:
    ///   - file: the file's bytes, read as the service takes them.
    ///   - hints: what is known about its words.
    ///   - language: what is spoken; `nil`: any language of the engine.
    public func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, hints: TranscriptionHints = TranscriptionHints(), language: String? = nil
    ) async throws -> DictationStream where File.Element == [UInt8] {
        try await transcribe(file, hints: hints, language: language, startingAt: 0)
    }

    /// Turns a sound file into text. Needs speech recognition only; the service does not open the file.
    ///
    /// - Parameters:
    ///   - url: of a file: WAV, FLAC, Ogg, MP3 and all other formats that libsndfile reads.
    ///   - hints: what is known about its words.
    ///   - language: what is spoken, such as `en` or `en-US`; `nil`: any language of the engine.
    ///   - start: seconds; utterances that begin earlier are left out.
    /// - Throws: `ClientError`, with `unreadableFile` if the file cannot be opened or read.
    public func transcribe(
        contentsOf url: URL, hints: TranscriptionHints = TranscriptionHints(), language: String? = nil,
        startingAt start: Double = 0
    ) async throws -> DictationStream {
        try await transcribe(try await FilePieces(url), hints: hints, language: language, startingAt: start)
    }
}
