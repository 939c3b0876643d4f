/// The addresses of reports.
enum ReportPaths {
    /// Returns the action that closes a report.
    ///
    /// - Parameter deed: what happens to its subject.
    static func close(_ id: Report.ID, _ deed: String) -> String { "/administration/reports/\(id)/\(deed)" }
}
