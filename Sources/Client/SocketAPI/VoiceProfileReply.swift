import Foundation

/// What was learnt of a voice, and what it is good for: errors in sentences that it was not learnt from.
public struct VoiceProfileReply: Sendable, Hashable, Codable {
    /// Identifier of the kept item; `nil`: it is not kept.
    public var item: String?
    public var client: String
    /// When it was learnt, and when it is erased; `nil`: when the permission is taken back.
    public var date: Date
    public var until: Date?
    public var sentences: Int
    public var words: Int
    /// Seconds of sound.
    public var seconds: Double
    public var errorsBefore: Int
    public var errorsAfter: Int
    /// Sentences with fewer errors than before, and with more.
    public var better: Int
    public var worse: Int
    /// `false`: it was learnt with another acoustic model than the service has now, and is not used.
    public var fitsModel: Bool

    public init(
        item: String?, client: String, date: Date, until: Date?, sentences: Int, words: Int, seconds: Double,
        errorsBefore: Int, errorsAfter: Int, better: Int, worse: Int, fitsModel: Bool
    ) {
        self.item = item
        self.client = client
        self.date = date
        self.until = until
        self.sentences = sentences
        self.words = words
        self.seconds = seconds
        self.errorsBefore = errorsBefore
        self.errorsAfter = errorsAfter
        self.better = better
        self.worse = worse
        self.fitsModel = fitsModel
    }
}
