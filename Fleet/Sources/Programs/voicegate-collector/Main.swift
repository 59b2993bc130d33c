import Collector

@main
enum Main {
    static func main() async { await CollectorCommand.main() }
}
