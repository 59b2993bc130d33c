// Written by Tests/Support/Tools/write-records from Documentation/consent-record.schema.json.

import Authorization

extension RecordContent {
    @FieldsBuilder static func describe(_ value: SessionOutcome) -> Fields {
        Fields(.reason, value.reason)
        Fields(.frames, value.frames)
        Fields(.milliseconds, value.milliseconds)
        Fields(.listening, value.listening)
        Fields(.deviceHeld, value.isDeviceHeld ? true : nil)
    }

    @FieldsBuilder static func describe(_ value: SharedData) -> Fields {
        Fields(.session, value.session)
        Fields(.client, value.client)
        Fields(.user, value.user)
        Fields(.recipients, value.recipients)
        Fields(.dataKinds, value.dataKinds)
        Fields(.basis, value.basis)
    }
}
