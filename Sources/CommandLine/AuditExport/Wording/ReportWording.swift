import Authorization

/// All words of the report and of a bundle's README, one file group a language. Texts from records come cleaned.
protocol ReportWording: ReportFrameWording, ReportUseWording, ReportAnswerWording, ReportDataWording,
    ReportProofWording,
    ReportFormatWording, BundleWording
{}

extension Language {
    var reportWording: any ReportWording {
        switch self {
        case .english: EnglishReportWording()
        case .japanese: JapaneseReportWording()
        case .korean: KoreanReportWording()
        }
    }
}
