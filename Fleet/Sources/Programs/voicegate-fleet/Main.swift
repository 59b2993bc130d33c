import FleetCommands

@main
enum Main {
    static func main() async { await FleetCommand.main() }
}
