import Foundation
import Glibc
import PolicyFiles
import TestSupport
import Testing

@Suite("The machine's time zone")
struct MachineTimeZoneTests {
    @Test("it is the link's current target, also after a change")
    func link() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/localtime"
        for name in ["Europe/Berlin", "America/Argentina/Ushuaia"] {
            unlink(link)
            symlink("/usr/share/zoneinfo/" + name, link)
            #expect(MachineTimeZone.current(environment: [:], link: link).identifier == name)
        }
    }

    @Test("TZ in the environment has precedence, and an invalid one gives the machine's zone")
    func environment() throws {
        let folder = try TemporaryFolder()
        symlink("/usr/share/zoneinfo/Europe/Berlin", folder.path + "/localtime")
        let link = folder.path + "/localtime"
        #expect(MachineTimeZone.current(environment: ["TZ": "Asia/Tokyo"], link: link).identifier == "Asia/Tokyo")
        #expect(MachineTimeZone.current(environment: ["TZ": ":Asia/Tokyo"], link: link).identifier == "Asia/Tokyo")
        #expect(MachineTimeZone.current(environment: [:], link: folder.path + "/none") == .current)
    }
}
