import Speech

/// Options of `voicegate dictate` under a name; each key is an option's name.
struct DictationProfile: Sendable, Hashable, Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case device, waitForDevice, stopAfterSilence, endSilence, temporaryFull, level, partial
        case to, exec, atEnd, filters, punctuation, numbers, tones, toneDevice
        case contextPhrases, words, grammar, task, alternatives
    }

    var device: String?
    var waitForDevice: Bool?
    var stopAfterSilence: Double?
    var endSilence: Double?
    var temporaryFull: String?
    var level: Bool?
    var partial: Bool?
    var to: DeliveryTarget?
    var exec: String?
    var atEnd: Bool?
    var filters: [String]?
    var punctuation: Bool?
    var numbers: Bool?
    var tones: Bool?
    var toneDevice: String?
    var contextPhrases: [String]?
    /// Files and folders; `~/` at the beginning is the person's home.
    var words: [String]?
    var grammar: String?
    var task: TaskHint?
    var alternatives: Int?
}
