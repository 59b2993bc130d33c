import Commands

ConfinedLaunch.continueIfBegun()
await VoiceGateCommand.start()
