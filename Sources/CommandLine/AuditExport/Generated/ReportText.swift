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

    func callAsFunction(_ word: ReportText) -> String { text(word.rawValue) }
    func kind(_ code: String) -> String? { member("kind/\(code)") }
    func reason(_ code: String) -> String? { member("reason/\(code)") }
    func question(_ code: String) -> String? { member("question/\(code)") }
    func ending(_ code: String) -> String? { member("ending/\(code)") }
    func refusal(_ code: String) -> String? { member("refusal/\(code)") }
    func erasureReason(_ code: String) -> String? { member("erasureReason/\(code)") }
    func sharingWay(_ code: String) -> String? { member("sharingWay/\(code)") }
    func section(_ word: ReportSection) -> String { text("section:\(word)") }
    func footer(log: TextValue) -> String { text("footer", ["log": log]) }
    func span(first: TextValue, last: TextValue) -> String { text("span", ["first": first, "last": last]) }
    func since(time: TextValue) -> String { text("since", ["time": time]) }
    func until(time: TextValue) -> String { text("until", ["time": time]) }
    func isKeptNow(count: TextValue) -> String { text("isKeptNow", ["count": count]) }
    func someQuestions(count: TextValue) -> String { text("someQuestions", ["count": count]) }
    func leftOut(count: TextValue, file: TextValue) -> String { text("leftOut", ["count": count, "file": file]) }
    func morePrograms(count: TextValue) -> String { text("morePrograms", ["count": count]) }
    func outcome(_ word: ConsentState) -> String { text("outcome:\(word)") }
    func given(_ word: Scope) -> String { text("given:\(word)") }
    func way(_ word: Indication) -> String { text("way:\(word)") }
    func asOf(outcome: TextValue, date: TextValue) -> String { text("asOf", ["outcome": outcome, "date": date]) }
    func asShown(record: TextValue) -> String { text("asShown", ["record": record]) }
    func timelineIntro(_ word: Timeline.Unit, tallest: TextValue) -> String {
        text("timelineIntro:\(word)", ["tallest": tallest])
    }
    func listenedTimes(count: TextValue, duration: TextValue) -> String {
        text("listenedTimes", ["count": count, "duration": duration])
    }
    func transcribedFiles(count: TextValue, duration: TextValue) -> String {
        text("transcribedFiles", ["count": count, "duration": duration])
    }
    func stripDescription(use: TextValue, most: TextValue) -> String {
        text("stripDescription", ["use": use, "most": most])
    }
    func bar(label: TextValue, use: TextValue) -> String { text("bar", ["label": label, "use": use]) }
    func ground(_ word: ListeningGround) -> String { text("ground:\(word)") }
    func usedAt(use: TextValue, time: TextValue) -> String { text("usedAt", ["use": use, "time": time]) }
    func usedBetween(use: TextValue, first: TextValue, last: TextValue) -> String {
        text("usedBetween", ["use": use, "first": first, "last": last])
    }
    func refusedFor(reasons: TextValue) -> String { text("refusedFor", ["reasons": reasons]) }
    func keptAndErased(kept: TextValue, erased: TextValue, now: TextValue) -> String {
        text("keptAndErased", ["kept": kept, "erased": erased, "now": now])
    }
    func recordsErased(count: TextValue) -> String { text("recordsErased", ["count": count]) }
    func itemsErased(count: TextValue) -> String { text("itemsErased", ["count": count]) }
    func itemsOfKindsErased(count: TextValue, kinds: TextValue) -> String {
        text("itemsOfKindsErased", ["count": count, "kinds": kinds])
    }
    func sharing(way: TextValue, count: TextValue) -> String { text("sharing", ["way": way, "count": count]) }
    func handedOn(count: TextValue) -> String { text("handedOn", ["count": count]) }
    func oddity(_ word: Oddity.Kind) -> String { text("oddity:\(word)") }
    func explanation(_ word: Oddity.Kind) -> String { text("explanation:\(word)") }
    func record(number: TextValue) -> String { text("record", ["number": number]) }
    func daysAfterGrant(count: TextValue) -> String { text("daysAfterGrant", ["count": count]) }
    func secondsBack(count: TextValue) -> String { text("secondsBack", ["count": count]) }
    func allFit(count: TextValue) -> String { text("allFit", ["count": count]) }
    func erasedKeepPlace(count: TextValue) -> String { text("erasedKeepPlace", ["count": count]) }
    func published(time: TextValue, count: TextValue) -> String { text("published", ["time": time, "count": count]) }
    func appendixIntro(count: TextValue) -> String { text("appendixIntro", ["count": count]) }
    func monthName(_ code: String) -> String? { member("monthName/\(code)") }
    func date(day: TextValue, month: TextValue, year: TextValue) -> String {
        text("date", ["day": day, "month": month, "year": year])
    }
    func dateTime(date: TextValue, time: TextValue) -> String { text("dateTime", ["date": date, "time": time]) }
    func week(date: TextValue) -> String { text("week", ["date": date]) }
    func month(month: TextValue, year: TextValue) -> String { text("month", ["month": month, "year": year]) }
    func year(year: TextValue) -> String { text("year", ["year": year]) }
    func readme(time: TextValue, log: TextValue, parts: TextValue, proof: TextValue) -> String {
        text("readme", ["time": time, "log": log, "parts": parts, "proof": proof])
    }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("report." + key, values)
    }

    private func member(_ key: String) -> String? {
        language.texts.member("report." + key)
    }
}
