import Foundation
import Glibc
import PolicyFiles
import TestSupport
import Testing

@Suite("The machine's time zone")
struct MachineTimeZoneTests {
    @Test("it is the one that the link names now, also when that changes")
    func link() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/localtime"
        for name in ["Europe/Berlin", "America/Argentina/Ushuaia"] {
            unlink(link)
            symlink("/usr/share/zoneinfo/" + name, link)
            #expect(MachineTimeZone.current(environment: [:], link: link).identifier == name)
        }
    }

    @Test("TZ in the environment wins, and what is no zone gives the machine's")
    func environment() throws {
        let folder = try TemporaryFolder()
        symlink("/usr/share/zoneinfo/Europe/Berlin", folder.path + "/localtime")
        let link = folder.path + "/localtime"
        #expect(MachineTimeZone.current(environment: ["TZ": "Asia/Tokyo"], link: link).identifier == "Asia/Tokyo")
        #expect(MachineTimeZone.current(environment: ["TZ": ":Asia/Tokyo"], link: link).identifier == "Asia/Tokyo")
        #expect(MachineTimeZone.current(environment: [:], link: folder.path + "/none") == .current)
    }
}
