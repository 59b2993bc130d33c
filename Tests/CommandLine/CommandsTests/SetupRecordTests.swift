import TestSupport
import Testing

@testable import Commands

@Suite("The record of setup's changes")
struct SetupRecordTests {
    @Test("a key of config.yaml is set in its place, or added, and every other line stays")
    func yaml() {
        #expect("".setting("device", to: "mic") == "device: \"mic\"\n")
        #expect("a: 1".setting("device", to: "mic") == "a: 1\ndevice: \"mic\"\n")
        let text = "# Mine.\ndevice: old # here\nwyoming:\n  device: x\n"
        #expect(text.setting("device", to: #"a"\b"#) == "# Mine.\ndevice: \"a\\\"\\\\b\"\nwyoming:\n  device: x\n")
    }

    @Test("the list is read as it was written, and is removed when there is nothing to undo")
    func record() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a/setup.json"
        var record = SetupRecord()
        record.changes = [
            .file(path: "/x", text: "new", previous: nil), .file(path: "/y", text: "new", previous: "old"),
            .engineInstalled(id: "e"), .engineUsed(id: "e", previous: nil),
        ]
        try record.write(to: path)
        #expect(try SetupRecord.read(path) == record)
        record.changes = []
        try record.write(to: path)
        #expect(try SetupRecord.read(path) == SetupRecord())
        try folder.write("{", to: "a/setup.json")
        #expect(throws: CommandError.self) { try SetupRecord.read(path) }
    }
}
