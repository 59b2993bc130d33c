/// Codes of errors that are no refusals of the gate. Refusals (403) bear the raw values of `RefusalCode`.
public enum ErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// 400: the request's text is not what the API takes.
    case badRequest
    /// 403: this caller may not do this (answer this prompt, change settings).
    case notAllowed
    /// 409: an answer to a prompt that nobody can have read yet; the prompt goes on waiting.
    case tooEarly
    /// 404
    case notFound
    /// 405: the path takes other methods; the header `Allow` names them.
    case methodNotAllowed
    /// 409: the capture device is held by another program.
    case deviceBusy
    /// 413
    case tooLarge
    /// 415: not a sound file that can be read.
    case badAudio
    /// 422: the values do not fit together or are out of range.
    case invalidValue
    /// 503: a device, the recogniser, or the storage is not available.
    case deviceUnavailable
    case recognizerUnavailable
    case storageUnavailable
    /// 409: too many sessions.
    case busy
    /// 500
    case internalError
}
