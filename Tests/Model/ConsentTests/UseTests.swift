import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("What a session's end record counts") struct UseTests {
    private func record(
        _ kind: RecordKind = .sessionStopped, client: String = "org.example.Notes", device: String? = "mic",
        heard: [String: Int64], dropped: Int64 = 0, paused: Int64 = 0
    ) -> ConsentRecord {
        let grants = ["speechRecognition"] + (device == nil ? [] : ["microphone"])
        var fields: [String: JSONValue] = [
            "client": .string(client), "device": device.map(JSONValue.string) ?? .null,
            "grants": .object(Dictionary(uniqueKeysWithValues: grants.map { ($0, "lease") })),
        ]
        if kind == .sessionStopped {
            fields["listening"] = [
                "heard": .object(heard.mapValues { .integer($0) }), "dropped": ["background": .integer(dropped)],
                "paused": .integer(paused), "suspended": 0,
            ]
        }
        return ConsentRecord(index: 0, kind: kind, time: Timestamp(milliseconds: 0), fields: fields)
    }

    @Test("a microphone that was heard is listened to, in whatever way it was allowed; a file is transcribed")
    func kinds() throws {
        let microphone = Use(record(heard: ["foreground": 3_000, "always": 800], dropped: 9_000, paused: 60_000))
        #expect(microphone.listened == Use.Count(times: 1, milliseconds: 3_800))
        #expect(microphone.transcribed == Use.Count())
        #expect(Use(record(heard: ["phrase": 7])).listened == Use.Count(times: 1, milliseconds: 7))
        let file = Use(record(device: nil, heard: ["foreground": 600_000]))
        #expect(file.listened == Use.Count())
        #expect(file.transcribed == Use.Count(times: 1, milliseconds: 600_000))
    }

    @Test("a session that heard nothing, a start, and a record of another kind count nothing")
    func nothing() throws {
        for device in ["mic", nil] {
            #expect(Use(record(device: device, heard: [:], dropped: 5_000, paused: 5_000)).isEmpty)
            #expect(Use(record(.sessionStarted, device: device, heard: [:])).isEmpty)
        }
        #expect(Use(record(.sessionStopped, heard: ["foreground": 0])).isEmpty)
        #expect(Use(record(.accessBlocked, heard: ["foreground": 5])).isEmpty)
    }

    @Test("the sessions of each client are added up, and forged counts do not overflow")
    func sums() throws {
        let records = [
            record(heard: ["foreground": 1_000]), record(heard: ["foreground": 500]),
            record(device: nil, heard: ["foreground": 20]), record(client: "a.b", heard: [:]),
            record(client: "a.c", heard: ["foreground": .max, "always": .max]),
        ]
        let uses = Use.ofClients(records)
        #expect(uses.keys.sorted() == ["a.c", "org.example.Notes"])
        #expect(uses["org.example.Notes"]?.listened == Use.Count(times: 2, milliseconds: 1_500))
        #expect(uses["org.example.Notes"]?.transcribed == Use.Count(times: 1, milliseconds: 20))
        let forged = Use.ofClients(Array(repeating: records[4], count: 20_000))
        #expect(forged["a.c"]?.listened.times == 20_000)
    }
}
