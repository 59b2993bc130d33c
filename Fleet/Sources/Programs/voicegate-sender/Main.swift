import Sender

@main
enum Main {
    static func main() async { await SenderCommand.main() }
}
