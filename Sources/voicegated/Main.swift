import Service

@main
enum Main {
    static func main() async { await VoicegateDaemon.main() }
}
