import Storage
import Testing

@Suite("A PostgreSQL database's address")
struct PostgresAddressTests {
    @Test(
        "What is refused is named without a part of the password",
        arguments: [
            "postgres://u:se%cret@h/db", "postgres://u:sec%00ret@h/db", "postgres://u:se/cret@h/db",
            "postgres://u:se/c/ret@h/db", "postgres://u:s@cret@h/db", "postgres://u:secret@[::1]x/db",
            "postgres://u:secret@[::1", "postgres:///db?password=se%cret",
        ])
    func passwords(text: String) {
        #expect {
            try PostgresAddress(text)
        } throws: {
            !"\($0)".contains("cret") && !"\($0)".contains("sec")
        }
    }

    @Test("A password's other characters are taken")
    func taken() throws {
        let address = try PostgresAddress("postgres://u:a%2Fb%40?#[c@h/db")
        #expect(address.parameters["password"] == "a/b@?#[c")
        #expect("\(address)" == "db on h")
    }

    @Test(
        "Connections to other machines are encrypted and checked",
        arguments: [
            ("postgres://db.example/t", [:], "verify-full"),
            ("postgres://127.example.com/t", [:], "verify-full"),
            ("postgres://127.0.0.1/t", [:], nil),
            ("postgres:///t?host=/run/postgresql", [:], nil),
            ("postgres:///t", [:], nil),
            ("postgres:///t", ["PGHOST": "db.example"], "verify-full"),
            ("postgres:///t?service=far", [:], "verify-full"),
            ("postgres:///t", ["PGSERVICE": "far"], "verify-full"),
            ("postgres://db.example/t?sslmode=require", [:], "require"),
            ("postgres://db.example/t", ["PGSSLMODE": "require"], nil),
        ] as [(String, [String: String], String?)])
    func encryption(text: String, environment: [String: String], mode: String?) throws {
        #expect(try PostgresAddress(text, environment: environment).parameters["sslmode"] == mode)
    }

    @Test("Variables of the environment stay in force")
    func environment() throws {
        let variables = [
            "PGSSLROOTCERT": "sslrootcert", "PGCONNECT_TIMEOUT": "connect_timeout",
            "PGAPPNAME": "application_name", "PGTARGETSESSIONATTRS": "target_session_attrs",
        ]
        for (variable, parameter) in variables {
            let text = "postgres://db.example/t"
            #expect(try PostgresAddress(text, environment: [:]).parameters[parameter] != nil)
            #expect(try PostgresAddress(text, environment: [variable: "x"]).parameters[parameter] == nil)
        }
    }
}
