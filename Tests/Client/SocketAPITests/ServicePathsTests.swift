import SocketAPI
import TestSupport
import Testing

@Suite("The service's paths")
struct ServicePathsTests {
    private func paths(_ environment: [String: String], hasRuntime: Bool = false) -> ServicePaths {
        ServicePaths(environment: environment, user: 1000, home: "/home/me") { $0 == "/run/user/1000" && hasRuntime }
    }

    @Test("the XDG variables take precedence")
    func variables() {
        let paths = paths([
            "XDG_RUNTIME_DIR": "/r/", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "HOME": "/elsewhere",
        ])
        #expect(paths.socket == "/r/voicegate/voicegate.sock")
        #expect(paths.stateDirectory == "/s/voicegate")
        #expect(paths.configurationDirectory == "/c/voicegate")
        #expect(paths.log == "/s/voicegate/voicegated.log")
    }

    @Test("relative and empty values are ignored")
    func relative() {
        let paths = paths(["XDG_RUNTIME_DIR": "r", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "./c", "HOME": "h"])
        #expect(paths.socket == "/tmp/voicegate-1000/voicegate.sock")
        #expect(paths.stateDirectory == "/home/me/.local/state/voicegate")
        #expect(paths.configurationDirectory == "/home/me/.config/voicegate")
    }

    @Test("the machine's own service comes before the user's, and VOICEGATE_SOCKET before both")
    func system() {
        func paths(_ environment: [String: String], _ hasSystemService: Bool) -> ServicePaths {
            ServicePaths(
                environment: environment, user: 1000, home: "/home/me", hasSystemService: hasSystemService
            ) { _ in true }
        }
        let own = "/run/user/1000/voicegate/voicegate.sock"
        #expect(paths([:], true).socket == "/run/voicegate/voicegate.sock")
        #expect(paths([:], true).ownSocket == own)
        #expect(paths([:], false).socket == own)
        #expect(paths(["VOICEGATE_SOCKET": "/mine"], true).socket == "/mine")
        #expect(paths(["VOICEGATE_SOCKET": "mine"], false).socket == own, "a relative path is ignored")
    }

    @Test("a socket in a folder that others than root may write to is not the machine's")
    func squatted() throws {
        let folder = try TemporaryFolder()
        #expect(!SocketPath.isRoots(folder.path + "/voicegate.sock"))
        try folder.write("", to: "voicegate.sock")
        #expect(!SocketPath.isRoots(folder.path + "/voicegate.sock"))
    }

    @Test("without the variable, the user's runtime folder if it exists")
    func runtimeFolder() { #expect(paths([:], hasRuntime: true).socket == "/run/user/1000/voicegate/voicegate.sock") }
}
