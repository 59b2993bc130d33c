import Authorization
import SocketAPI

import struct Prompting.DisplayedNotice

extension PromptOffer {
    var notice: DisplayedNotice {
        DisplayedNotice(
            title: title, usageDescription: usageDescription, items: items.map { (name: $0.name, text: $0.text) },
            answers: answers, language: Language(tag: language) ?? .english)
    }
}
