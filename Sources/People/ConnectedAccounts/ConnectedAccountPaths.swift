/// The addresses of accounts on other networks.
package enum ConnectedAccountPaths {
    /// The accounts that the viewer has connected.
    package static let list = "/settings/connected"
}
