import Authorization
import Foundation
import Testing

private let completeEntries: [String: any Sendable] = [
    "CFBundleIdentifier": "org.example.notes", "CFBundleDisplayName": "Notes", "CFBundleName": "notes",
    "CFBundleExecutable": "/usr/bin/notes",
    "NSSpeechRecognitionUsageDescription": "Writes what you say.",
    "NSMicrophoneUsageDescription": "Listens while you hold the key.",
    "UIBackgroundModes": ["audio"], "VoiceGateDataKinds": ["recording"], "VoiceGatePurpose": "Dictation.",
    "VoiceGateRetention": "one day", "VoiceGateRecipients": [String](), "CFBundleVersion": 7,
]

@Suite("A manifest from a property list")
struct ManifestPropertyListTests {
    private func data(
        _ changes: [String: (any Sendable)?] = [:], as format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> Data {
        var entries = completeEntries
        for (key, value) in changes { entries[key] = value ?? nil }
        return try PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0)
    }

    private func failure(_ data: Data) -> ManifestError? {
        #expect(throws: ManifestError.self) { try Manifest(propertyList: data, path: "/clients/a.plist") }
    }

    @Test(
        "XML and binary give the same manifest", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func bothFormats(format: PropertyListSerialization.PropertyListFormat) throws {
        let manifest = try Manifest(propertyList: data(as: format))
        #expect(
            manifest
                == Manifest(
                    identifier: try #require(ClientIdentifier(rawValue: "org.example.notes")), name: "Notes",
                    executablePath: "/usr/bin/notes",
                    usageDescriptions: [
                        .speechRecognition: "Writes what you say.", .microphone: "Listens while you hold the key.",
                    ],
                    backgroundModes: ["audio"],
                    practices: DataPractices(
                        kinds: [.recording], purpose: "Dictation.", retention: "one day", recipients: [])))
    }

    @Test("absent keys have their documented defaults")
    func defaults() throws {
        let manifest = try Manifest(
            propertyList: data([
                "CFBundleDisplayName": nil, "CFBundleName": nil, "UIBackgroundModes": nil, "VoiceGateDataKinds": nil,
                "VoiceGatePurpose": nil, "VoiceGateRetention": nil, "VoiceGateRecipients": nil,
            ]))
        #expect(manifest.name == "org.example.notes")
        #expect(manifest.backgroundModes.isEmpty)
        #expect(manifest.practices.kinds == [.liveAudio, .transcript])
        #expect(manifest.practices.purpose == "Writes what you say. Listens while you hold the key.")
        #expect(manifest.practices.retention == nil)
        #expect(manifest.practices.recipients == nil)
    }

    @Test("a blank usage description counts as missing", arguments: Resource.allCases, ["", "  \n\t"])
    func blank(resource: Resource, text: String) throws {
        let manifest = try Manifest(propertyList: data([resource.usageDescriptionKey: text]))
        #expect(manifest.usageDescriptions[resource] == nil)
        #expect(manifest.usageDescriptions.count == 1)
    }

    private static let recipients = (1...20).map { "R\($0)" + long(90) }
    private static let phrases = (1...200).map { "p\($0)" + long(35) }

    @Test("lists as long as a notice shows them are read")
    func lists() throws {
        #expect(try Manifest(propertyList: data()).contextPhrases.isEmpty)
        let manifest = try Manifest(
            propertyList: data([
                "VoiceGateContextPhrases": ["Kelmscott Press", "page fault"], "VoiceGateRecipients": Self.recipients,
                "VoiceGatePhrases": Self.phrases, "CFBundleDisplayName": #"L’Équipe 'x' ‘y’ "z""#,
            ]))
        #expect(manifest.contextPhrases == ["Kelmscott Press", "page fault"])
        #expect(manifest.practices.recipients == Self.recipients && manifest.phrases == Self.phrases)
    }

    private typealias Value = (key: String, value: (any Sendable)?)

    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let purposes = "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary"
    private static let missing: [Value] = [("CFBundleIdentifier", nil), ("CFBundleExecutable", nil)]
    /// A notice would have to cut the longer lists; a name cannot end the quotation marks of a title.
    private static let invalid: [Value] = [
        ("CFBundleIdentifier", "has space"), ("CFBundleIdentifier", "unregistered"),
        ("CFBundleIdentifier", "unregistered." + long(32)), ("CFBundleExecutable", "notes"),
        ("CFBundleExecutable", "../notes"), ("CFBundleDisplayName", "x” would"), ("CFBundleDisplayName", "“x"),
        ("CFBundleDisplayName", "x」が"), ("CFBundleDisplayName", "「x"), ("CFBundleDisplayName", "x｣が"),
        ("CFBundleDisplayName", "x＂"), ("CFBundleDisplayName", "„x"),
        ("VoiceGateContextPhrases", Array(repeating: "a", count: 501)), ("VoiceGateContextPhrases", [long(201)]),
        ("VoiceGateContextPhrases", [""]), ("VoiceGateDataKinds", ["thoughts"]), ("VoiceGateDataKinds", [String]()),
        ("VoiceGateRecipients", recipients + ["Evil Advertising Corp"]), ("VoiceGatePhrases", phrases + ["one more"]),
        ("VoiceGatePhrases", phrases.map { $0 + "xxxxx" }),
    ]
    private static let tooLong: [Value] = [("VoiceGateRecipients", [long(101)]), (purposes, ["note": long(401)])]
    private static let hidden: [Value] = [
        ("VoiceGateRecipients", ["Example\u{2800}"]), ("VoiceGatePhrases", ["next\u{3164}page"]),
        (purposes, ["note": "a\u{202E}"]), ("VoiceGateLaunchCommand", ["/bin/a", "\u{2800}"]),
    ]
    private static var wrongType: [Value] {
        completeEntries.keys.filter { $0 != "CFBundleVersion" }.flatMap { key -> [Value] in
            [(key, 7), (key, ["a": "b"]), (key, [1, 2])]
        }
    }

    @Test("a missing, impossible or too long value is refused with its code, its key and the manifest's path")
    func refusals() throws {
        let refused: [(ManifestError.Code, [Value])] = [
            (.missingKey, Self.missing), (.invalidValue, Self.invalid), (.tooLong, Self.tooLong),
            (.hiddenCharacters, Self.hidden), (.wrongType, Self.wrongType),
        ]
        for (code, values) in refused {
            for (key, value) in values {
                let error = try #require(failure(data([key: value])))
                #expect(error.code == code && error.key == key, "\(key): \(error)")
                #expect(error.path == "/clients/a.plist" && error.message.contains(key), "\(error)")
            }
        }
    }

    private static let texts: [(key: String, limit: Int)] = [
        ("CFBundleDisplayName", 60), ("NSSpeechRecognitionUsageDescription", 400),
        ("NSMicrophoneUsageDescription", 400),
        ("NSMicrophoneAlwaysAndWhenInUseUsageDescription", 400), ("VoiceGatePurpose", 400), ("VoiceGateRetention", 200),
    ]

    @Test("a text is accepted as long as a notice shows it, in the manifest and in its translations", arguments: texts)
    func length(key: String, limit: Int) throws {
        for character in ["x", "字"] {
            let fitting = String(repeating: character, count: limit)
            _ = try Manifest(propertyList: data([key: fitting]))
            let error = try #require(failure(data([key: fitting + character])))
            #expect(error.code == .tooLong && error.key == key)
            #expect(error.message.hasSuffix("Shorten it to \(limit) characters."))
            let strings = Data("\"\(key)\" = \"\(fitting + character)\";".utf8)
            let wrong = #expect(throws: ManifestError.self) { try ManifestTexts(strings: strings, purposeKeys: []) }
            #expect(wrong?.code == .tooLong && wrong?.key == key)
        }
    }

    @Test("a text with a character that a notice does not show is refused, wherever it is", arguments: texts)
    func hidden(key: String, limit: Int) throws {
        for character in ["\u{2800}", "\u{202E}", "\u{200B}", "\u{E000}"] {
            let strings = Data("\"\(key)\" = \"a\(character)b\";".utf8)
            let wrong = #expect(throws: ManifestError.self) { try ManifestTexts(strings: strings, purposeKeys: []) }
            #expect(wrong?.code == .hiddenCharacters && wrong?.key == key)
            let error = try #require(failure(data([key: "a\(character)b"])))
            #expect(error.code == .hiddenCharacters && error.key == key)
            #expect(error.message.contains("U+"))
        }
    }

    @Test(
        "data that is not a property list is refused",
        arguments: [
            Data(), Data("hello".utf8), Data("{ CFBundleIdentifier = a; }".utf8), Data("<".utf8), Data("<dict>".utf8),
            Data("<plist><dict></plist>".utf8), Data([0xFF, 0xFE, 0x3C, 0]), Data("bplist00".utf8),
            Data("<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist><dict/></plist>".utf8), Data(count: 1000),
            Data("bplist00".utf8) + Data(repeating: 0xFF, count: 100),
        ])
    func garbage(bytes: Data) {
        #expect(failure(bytes)?.code == .notPropertyList)
    }

    @Test("a top level other than a dictionary is refused")
    func array() {
        #expect(failure(Data("<plist><array/></plist>".utf8))?.code == .notDictionary)
        #expect(failure(Data("<plist><string>x</string></plist>".utf8))?.code == .notDictionary)
    }

    @Test("a manifest above the size limit is not parsed")
    func tooLarge() {
        #expect(failure(Data(count: Manifest.sizeLimit + 1))?.code == .tooLarge)
    }

    @Test("deep XML is refused before the parser recurses into it")
    func deepXML() {
        let deep = "<plist>" + String(repeating: "<array>", count: 30_000)
        #expect(failure(Data(deep.utf8))?.code == .tooComplex)
        let commented = "<plist>" + String(repeating: "<array><!--</array>-->", count: 10_000)
        #expect(failure(Data(commented.utf8))?.code == .tooComplex)
    }

    @Test("parentheses after a tag do not reach the recursive parser of the old format")
    func deepOldStyle() {
        let deep = "<plist/>" + String(repeating: "(", count: 200_000)
        #expect(failure(Data(deep.utf8)) != nil)
        #expect(failure(Data(("<" + String(repeating: "(", count: 200_000)).utf8))?.code == .notPropertyList)
    }

    /// Each level is an array that names the next one `width` times.
    private func chain(levels: Int, width: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for level in 0..<levels {
            offsets.append(bytes.count)
            bytes.append(0xA0 | UInt8(width))
            let next = min(level + 1, levels)
            for _ in 0..<width { bytes += [UInt8(next >> 8), UInt8(next & 0xFF)] }
        }
        offsets.append(bytes.count)
        bytes.append(0x09)
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 16), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)] }
        bytes += [0, 0, 0, 0, 0, 0, 3, 2]
        for number in [offsets.count, 0, table] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return Data(bytes)
    }

    @Test("a deep, a cyclic-sized or a widely shared binary list is refused before the parser follows it")
    func binaryBombs() {
        #expect(failure(chain(levels: 20_000, width: 1))?.code == .tooComplex)
        #expect(failure(chain(levels: 14, width: 14))?.code == .tooComplex)
        #expect(failure(chain(levels: 3, width: 2))?.code == .notDictionary)
    }

    @Test("no single changed byte of a binary manifest ends the process")
    func changedBytes() throws {
        let original = try data(as: .binary)
        for index in original.indices {
            for bit in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = original
                changed[index] ^= bit
                _ = try? Manifest(propertyList: changed)
            }
        }
    }
}

@Suite("The binding of a manifest")
struct ManifestBindingTests {
    private func manifest(_ executable: String, _ keys: [String: String] = [:]) throws -> Manifest {
        let entries = keys.merging([
            "CFBundleIdentifier": "org.example.notes", "CFBundleExecutable": executable,
        ]) { key, _ in key }
        return try Manifest(
            propertyList: PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0))
    }

    @Test("a program, a script, a sandbox, a unit")
    func bindings() throws {
        let program = "/usr/bin/notes"
        #expect(try manifest(program).binding == .executable)
        #expect(try manifest("/usr/bin/python3", ["VoiceGateScript": "/opt/a.py"]).binding == .script("/opt/a.py"))
        #expect(try manifest(program, ["VoiceGateFlatpakID": "org.a.B"]).binding == .flatpak("org.a.B"))
        #expect(try manifest(program, ["VoiceGateSnap": "notes"]).binding == .snap("notes"))
        let unit = try #require(SystemdUnit("notes.service"))
        let own = try #require(SystemdUnit("user/notes@a.service"))
        #expect(own.manager == .user && own.name == "notes@a.service")
        #expect(try manifest(program, ["VoiceGateSystemdUnit": "notes.service"]).binding == .unit(unit, script: nil))
        #expect(
            try manifest(program, ["VoiceGateSystemdUnit": "user/notes@a.service"]).binding == .unit(own, script: nil))
    }

    @Test("an interpreter needs its script, unless a system unit or a sandbox is named")
    func interpreters() throws {
        for keys in [[:], ["VoiceGateSystemdUnit": "user/notes.service"]] {
            let error = #expect(throws: ManifestError.self) { try manifest("/usr/bin/python3", keys) }
            #expect(error?.code == .missingKey)
            #expect(error?.key == "VoiceGateScript")
        }
        #expect(throws: Never.self) { try manifest("/usr/bin/python3", ["VoiceGateSystemdUnit": "notes.service"]) }
        #expect(throws: Never.self) { try manifest("/usr/bin/python3", ["VoiceGateFlatpakID": "org.a.B"]) }
    }

    @Test(
        "impossible combinations are refused, with the key",
        arguments: [
            (["VoiceGateScript": "a.py"], "VoiceGateScript"),
            (["VoiceGateFlatpakID": "a b"], "VoiceGateFlatpakID"), (["VoiceGateSnap": "../x"], "VoiceGateSnap"),
            (["VoiceGateFlatpakID": "org.a.B", "VoiceGateSnap": "b"], "VoiceGateSnap"),
            (["VoiceGateFlatpakID": "org.a.B", "VoiceGateScript": "/a"], "VoiceGateScript"),
            (["VoiceGateSystemdUnit": "notes"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": "session-2.scope"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": "a/b.service"], "VoiceGateSystemdUnit"),
            (["VoiceGateSystemdUnit": ".service"], "VoiceGateSystemdUnit"),
        ])
    func invalid(keys: [String: String], key: String) {
        let error = #expect(throws: ManifestError.self) { try manifest("/usr/bin/notes", keys) }
        #expect(error?.code == .invalidValue)
        #expect(error?.key == key)
    }
}
