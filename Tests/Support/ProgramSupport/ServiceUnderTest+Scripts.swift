extension ServiceUnderTest {
    /// Makes a Python script a client by a manifest. An interpreter alone cannot be one.
    ///
    /// - Returns: the script's path; run it by `/usr/bin/python3`.
    public func registerScript(
        _ code: String, name: String = "script", keys: String = ""
    ) throws -> String {
        let path = try folder.write(code, to: "scripts/\(name).py")
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.\(name)</string>
            <key>CFBundleExecutable</key><string>/usr/bin/python3</string>
            <key>VoiceGateScript</key><string>\(path)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To test.</string>
            <key>NSMicrophoneUsageDescription</key><string>To test.</string>
            <key>VoiceGateRecipients</key><array/>\(keys)
            </dict></plist>
            """, to: "clients/\(name)/Info.plist")
        return path
    }
}
