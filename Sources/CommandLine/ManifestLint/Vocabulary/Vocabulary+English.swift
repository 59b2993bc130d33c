extension Vocabulary {
    static let english = Vocabulary(
        names: [
            "microphone", "mic", "speech", "recognition", "recogniser", "recognizer", "audio", "voice", "location",
            "camera", "the", "a", "an", "your", "our",
        ],
        requests: [
            "this", "app", "application", "program", "it", "we", "i", "uses", "use", "using", "used", "usage", "access",
            "accesses", "accessing", "need", "needs", "needed", "require", "requires", "required", "is", "be", "to",
            "of", "in", "for", "would", "like", "wants", "want", "permission", "permissions", "please", "allow",
            "grant",
            "must", "must", "have", "has", "and", "by", "order", "function", "work", "feature", "features", "will",
            "may", "can", "asks",
        ],
        purposes: [
            "to", "so", "for", "when", "while", "whenever", "lets", "let", "because", "into", "until", "which", "where",
            "as you", "what you",
        ],
        handling: [
            "kept", "keeps", "keep", "stored", "stores", "saved", "saves", "sent", "sends", "shared", "uploaded",
            "transmitted", "leave", "leaves", "device", "machine", "computer", "local", "locally", "server", "servers",
            "deleted", "erased", "discarded", "recorded", "cloud",
        ],
        background: [
            "background", "always", "at any time", "even when", "even if", "also when", "also while", "not using",
            "another window", "other windows", "closed", "minimised", "minimized", "not running",
        ],
        emptyPromises: [
            "improve your experience", "better experience", "enhance your experience", "best experience",
            "improve our service", "improve our services", "provide our service", "provide our services",
            "better service", "various features", "certain features", "some features", "app functionality",
            "app to work", "work properly", "work correctly", "function properly", "all features",
        ],
        vagueRetentions: [
            "as long as needed", "as long as necessary", "as needed", "as required", "for some time", "for a while",
            "a certain time", "a reasonable time", "until no longer needed", "indefinitely",
        ],
        separatesWords: true, shortest: 20,
        microphoneExample: "Listens while you hold the key, so that you can dictate a note. The audio stays on this "
            + "machine and is not kept.",
        speechExample: "Turns what you say into the text of your note, on this machine. Nothing is sent to a server.",
        backgroundExample: "Goes on listening in the background, so that your meeting is written down while you use "
            + "another window.",
        purposeExample: "Needs every word for a while, to write down the meeting you are in.",
        retentionExample: "30 days, then it is deleted")
}
