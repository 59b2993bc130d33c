import Daemon

@main
enum Main {
    @MainActor
    static func main() async {
        // On the first thread, before other threads start.
        VoicegateDaemon.prepareProcess()
        await VoicegateDaemon.main()
    }
}
