/// The addresses of invitations.
package enum InvitationPaths {
    /// The invitations of the viewer.
    package static let list = "/settings/invitations"
}
