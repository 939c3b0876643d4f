/// The addresses of profiles beside `AppPaths.profile`.
enum ProfilePaths {
    /// The page to edit the viewer's own profile.
    static let edit = "/settings/profile"
}
