import Authorization
import Foundation
import SocketAPI
import Speech

extension VoiceProfileReply {
    init(
        item: String?, client: ClientIdentifier, date: Date, until: Date?, gain: AdaptationGain, seconds: Double,
        fitsModel: Bool
    ) {
        self.init(
            item: item, client: client.rawValue, date: date, until: until, sentences: gain.sentences, words: gain.words,
            seconds: seconds, errorsBefore: gain.errorsBefore, errorsAfter: gain.errorsAfter, better: gain.better,
            worse: gain.worse, fitsModel: fitsModel)
    }
}
