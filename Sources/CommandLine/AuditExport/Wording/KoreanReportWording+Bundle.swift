extension KoreanReportWording {
    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate: 누가, 언제, 누구의 허용으로 들었고, 그 뒤 어떻게 되었는가
        ===================================================================

        \(madeAt)에 동의 기록 \(log)에서 만들었습니다.
        사람에 관한 기록입니다. 편지처럼 조심해서 보관하십시오.

        읽으려면 report.html 파일을 브라우저로 여십시오. 아무것도 불러오지 않고 아무것도 실행하지 않습니다.

        report.html       사람을 위한 보고서
        accesses.csv      모든 세션과 거부된 접근
        decisions.csv     모든 질문, 대답, 철회
        accesses.ndjson   마이크 사용, Apple의 App Privacy Report 형식
        consent.jsonld    기계를 위한 같은 내용, W3C Data Privacy Vocabulary 2.3
        records.jsonl     기록 자체(leaf, disclosures\(whole ? "" : ", proof"))
        notices/          표시된 질문, 이름은 글의 SHA-256
        scope.json        내보내기의 범위
        checkpoint        기록의 수와 루트, 서명됨
        log.vkey          기록의 키, 마지막 줄이 최신
        \(whole ? "" : "proofs/           각 기록이 이 기록부에 있다는 증명\n")\
        SHA256SUMS        모든 파일의 SHA-256, SHA256SUMS.note 파일은 그 서명

        확인하려면
        ----------

        VoiceGate로 확인하려면 어느 컴퓨터에서나 voicegate audit verify 폴더. VoiceGate 없이 확인하려면:

        1. 파일: sha256sum --check SHA256SUMS
        2. 서명: checkpoint 및 SHA256SUMS.note 파일은 signed note입니다(https://c2sp.org/signed-note).
           log.vkey 파일의 마지막 줄로 확인합니다.
        3. 기록: \(whole
            ? "leaf를 순서대로 RFC 6962에 따라 해시하면 checkpoint 파일의 루트가 됩니다."
            : "proofs/의 각 파일이 leaf에서 checkpoint 파일의 루트로 이어집니다(https://c2sp.org/tlog-proof).")
        4. 항목: 각 disclosure의 SHA-256(base64url)이 leaf의 _sd에 있습니다.

        키는 다른 방법으로 얻은 것과 비교하십시오. 이전 번들, 공개된 체크포인트, 또는 그 컴퓨터에서
        voicegate audit checkpoint 명령으로 얻을 수 있습니다. 데이터와 함께 온 키는 둘이 서로 맞는다는 것만 증명합니다.

        증명되지 않는 것: 다른 곳에 있는 마지막 체크포인트 뒤의 일, 프로그램이 스스로에 대해 말하는 것,
        VoiceGate를 거치지 않은 일.

        """
    }
}
