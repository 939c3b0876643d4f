import TestPostgres
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests of SQLite itself, of its file or of its statements, which run where every test uses SQLite.
    static var onlySQLite: Self { .disabled(if: TestPostgres.isEngine) }
}
