import TestPostgres
import TestS3
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests of SQLite itself, of its file or of its statements, which run where every test uses SQLite.
    static var onlySQLite: Self { .disabled(if: TestPostgres.isEngine) }

    /// For tests that look at the files of pictures, which run where pictures are kept in a folder.
    static var onlyFolder: Self { .disabled(if: TestS3.isStore) }
}
