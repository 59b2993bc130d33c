import Commands

await VoiceGateCommand.start()
