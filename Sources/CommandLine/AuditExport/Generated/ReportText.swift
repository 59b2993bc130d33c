// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum ReportText: String, Sendable, Hashable, CaseIterable {
    case title, skip, contents, emptyLog, coversName, madeName, timesName, everything, onlyProgram, onlySubject
    case unknownProgram, timesListened, listened, filesTranscribed, transcribed, programsSeen, grantsAndDenials
    case itemsKept, openQuestions, nothingIsKeptNow, noQuestions, whenColumn, programColumn, notHeardColumn
    case allowedByColumn, deviceColumn, engineColumn, endedColumn, sinceColumn, sizeColumn, untilColumn, whatColumn
    case whyColumn, declaredColumn, enforcedColumn, handedOnColumn, kindNameColumn, numberColumn, nobodyAsked
    case answersIntro, erasedValue, fieldsErased, carriedOver, muted, unmuted, whatWasShown, noPrograms, standingTitle
    case fourItems, askNextTime, alwaysToConfirm, alwaysToReview, neverAnswered, noNotice, nobodyListened, allPrograms
    case sameAsTable, usageCaption, latestSessions, soundFile, neverListened, nothingWasKept, untilTakenBack
    case keptNowTitle, erasedTitle, nothingToShare, sharingIntro, notEnforced, handedOnNothing, questionsIntro, fits
    case doesNotFit, notChecked, provenTitle, notProvenTitle, nothingProven, fitTogether, coveredWhole, coveredByProofs
    case notCovered, signed, neverPublished, checkYourself, rootName, keyName, logName, recordsName, laterNotProven
    case declarationsNotProven, otherRecordingsNotProven, voiceNotProven, hourUnit, minuteUnit, secondUnit
    case unitSeparator, readmeParts, readmeProofOfWhole, readmeProofOfPart
}

struct ReportWording: Sendable {
    let language: Language

    func callAsFunction(_ word: ReportText) -> String { string(word.rawValue) }
    func kind(_ code: String) -> String? { member("kind/\(code)") }
    func reason(_ code: String) -> String? { member("reason/\(code)") }
    func question(_ code: String) -> String? { member("question/\(code)") }
    func ending(_ code: String) -> String? { member("ending/\(code)") }
    func refusal(_ code: String) -> String? { member("refusal/\(code)") }
    func erasureReason(_ code: String) -> String? { member("erasureReason/\(code)") }
    func sharingWay(_ code: String) -> String? { member("sharingWay/\(code)") }
    func section(_ word: ReportSection) -> String { string("section:\(word)") }
    func footer(log: TextValue) -> String { string("footer", ["log": log]) }
    func span(first: TextValue, last: TextValue) -> String { string("span", ["first": first, "last": last]) }
    func since(time: TextValue) -> String { string("since", ["time": time]) }
    func until(time: TextValue) -> String { string("until", ["time": time]) }
    func isKeptNow(count: TextValue) -> String { string("isKeptNow", ["count": count]) }
    func someQuestions(count: TextValue) -> String { string("someQuestions", ["count": count]) }
    func leftOut(count: TextValue, file: TextValue) -> String { string("leftOut", ["count": count, "file": file]) }
    func morePrograms(count: TextValue) -> String { string("morePrograms", ["count": count]) }
    func outcome(_ word: ConsentState) -> String { string("outcome:\(word)") }
    func given(_ word: Scope) -> String { string("given:\(word)") }
    func way(_ word: Indication) -> String { string("way:\(word)") }
    func asOf(outcome: TextValue, date: TextValue) -> String { string("asOf", ["outcome": outcome, "date": date]) }
    func asShown(record: TextValue) -> String { string("asShown", ["record": record]) }
    func timelineIntro(_ word: Timeline.Unit, tallest: TextValue) -> String {
        string("timelineIntro:\(word)", ["tallest": tallest])
    }
    func listenedTimes(count: TextValue, duration: TextValue) -> String {
        string("listenedTimes", ["count": count, "duration": duration])
    }
    func transcribedFiles(count: TextValue, duration: TextValue) -> String {
        string("transcribedFiles", ["count": count, "duration": duration])
    }
    func stripDescription(use: TextValue, most: TextValue) -> String {
        string("stripDescription", ["use": use, "most": most])
    }
    func bar(label: TextValue, use: TextValue) -> String { string("bar", ["label": label, "use": use]) }
    func ground(_ word: ListeningGround) -> String { string("ground:\(word)") }
    func usedAt(use: TextValue, time: TextValue) -> String { string("usedAt", ["use": use, "time": time]) }
    func usedBetween(use: TextValue, first: TextValue, last: TextValue) -> String {
        string("usedBetween", ["use": use, "first": first, "last": last])
    }
    func refusedFor(reasons: TextValue) -> String { string("refusedFor", ["reasons": reasons]) }
    func keptAndErased(kept: TextValue, erased: TextValue, now: TextValue) -> String {
        string("keptAndErased", ["kept": kept, "erased": erased, "now": now])
    }
    func recordsErased(count: TextValue) -> String { string("recordsErased", ["count": count]) }
    func itemsErased(count: TextValue) -> String { string("itemsErased", ["count": count]) }
    func itemsOfKindsErased(count: TextValue, kinds: TextValue) -> String {
        string("itemsOfKindsErased", ["count": count, "kinds": kinds])
    }
    func sharing(way: TextValue, count: TextValue) -> String { string("sharing", ["way": way, "count": count]) }
    func handedOn(count: TextValue) -> String { string("handedOn", ["count": count]) }
    func oddity(_ word: Oddity.Kind) -> String { string("oddity:\(word)") }
    func explanation(_ word: Oddity.Kind) -> String { string("explanation:\(word)") }
    func record(number: TextValue) -> String { string("record", ["number": number]) }
    func daysAfterGrant(count: TextValue) -> String { string("daysAfterGrant", ["count": count]) }
    func secondsBack(count: TextValue) -> String { string("secondsBack", ["count": count]) }
    func allFit(count: TextValue) -> String { string("allFit", ["count": count]) }
    func erasedKeepPlace(count: TextValue) -> String { string("erasedKeepPlace", ["count": count]) }
    func published(time: TextValue, count: TextValue) -> String { string("published", ["time": time, "count": count]) }
    func appendixIntro(count: TextValue) -> String { string("appendixIntro", ["count": count]) }
    func monthName(_ code: String) -> String? { member("monthName/\(code)") }
    func date(day: TextValue, month: TextValue, year: TextValue) -> String {
        string("date", ["day": day, "month": month, "year": year])
    }
    func dateTime(date: TextValue, time: TextValue) -> String { string("dateTime", ["date": date, "time": time]) }
    func week(date: TextValue) -> String { string("week", ["date": date]) }
    func month(month: TextValue, year: TextValue) -> String { string("month", ["month": month, "year": year]) }
    func year(year: TextValue) -> String { string("year", ["year": year]) }
    func readme(time: TextValue, log: TextValue, parts: TextValue, proof: TextValue) -> String {
        string("readme", ["time": time, "log": log, "parts": parts, "proof": proof])
    }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("report." + key, values)
    }

    private func member(_ key: String) -> String? {
        language.texts.member("report." + key)
    }
}
