import Service

@main
enum Main {
    @MainActor
    static func main() async {
        // On the first thread, and before there is another one.
        VoicegateDaemon.prepareProcess()
        await VoicegateDaemon.main()
    }
}
