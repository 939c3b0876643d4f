/// The account that the demo's log-in page names.
enum DemoAccount {
    /// Under this name the data folder remembers `USERNAME:PASSWORD`.
    static let serverValue = "demo-account"
}
