import ArgumentParser
import FleetCommands
import Testing

@Suite("Command line")
struct FleetCommandTests {
    @Test("The help names the command")
    func help() {
        #expect(FleetCommand.helpMessage().contains("voicegate-"))
    }
}
