import Foundation

extension ServiceUnderTest {
    /// Makes curl a client that has VoiceGate keep something.
    ///
    /// - Parameter kept: by kind, as the manifest writes it.
    public func registerCurl(keeping kept: [String: String], keys: String = "") throws {
        let entries = kept.map { "<key>\($0.key)</key><string>\($0.value)</string>" }.joined()
        let microphone = kept["microphoneProfile"] == nil ? "" : "<string>microphoneProfile</string>"
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>VoiceGateLaunchCommand</key><array><string>\(Programs.curl)</string></array>
            <key>NSSpeechRecognitionUsageDescription</key><string>To try the socket.</string>
            <key>NSMicrophoneUsageDescription</key><string>To try the socket.</string>
            <key>VoiceGateRecipients</key><array/>
            <key>VoiceGateDataKinds</key><array>
            <string>liveAudio</string><string>transcript</string><string>recording</string>\(microphone)</array>
            <key>VoiceGateRetention</key><string>As VoiceGate keeps it.</string>
            <key>VoiceGateKeptByService</key><dict>\(entries)</dict>\(keys)
            </dict></plist>
            """, to: "clients/curl/Info.plist")
    }

    /// What `voicegate history --json` lists.
    public func history() async throws -> [[String: Any]] {
        let (status, output, errors) = try await run(["history", "--json"])
        guard status == 0 else { throw RunningProgram.Ended(output: output, errors: errors) }
        return try output.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }

    /// Names of the encrypted files.
    public var keptFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: stateDirectory + "/kept")) ?? []
    }

    /// Returns the records when one is such; each look is a whole command, and the suite's limit bounds them.
    public func records(when isComplete: ([Record]) -> Bool) async throws -> [Record] {
        while true {
            let records = try await records()
            if isComplete(records) { return records }
            try Task.checkCancellation()
        }
    }
}
