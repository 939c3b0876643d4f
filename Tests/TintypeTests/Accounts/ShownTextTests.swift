import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("What names and promises may be made of")
struct ShownTextTests {
    @Test(
        "Names of people everywhere are taken",
        arguments: [
            "Ana", "Zoë", "Nguyễn Thị Hồng", "Nguyễn Thị Hồng".decomposedStringWithCanonicalMapping, "نور",
            "שָׁלוֹם",
            "יִשְׂרָאֵל", "山田 太郎", "山田\u{3000}太郎", "葛\u{E0100}城", "김민준", "Łukasz Żółć", "O’Neill-Müller",
            "Д. Иванов",
            "สมชาย น้ำใจ", "แก้ว", "བསྒྲུབས", "ক্ষ", "मोहम्मद", "क्\u{200D}ष", "ශ්\u{200D}රී", "می\u{200C}خواهم",
            "کار\u{200C}ها", "ᠮᠣᠩᠭᠣᠯ", "ᠰᠠᠷ\u{180E}ᠠ", "ᠭ\u{180B}ᠠ", "👩‍👩‍👧‍👦", "👩🏽‍🚀 Ana", "❤️", "🏳️‍🌈", "🏴‍☠️",
            "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Ida", "🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿", "1️⃣ First", "🇩🇪", "∑ x²", "\u{0600}123", "4 ever",
        ])
    func good(name: String) { #expect(ShownText.problem(in: name) == nil) }

    @Test(
        "What can’t be seen, and what turns text around, is refused",
        arguments: [
            "Tin\u{180E}type", "Tin\u{200B}type", "Tin\u{200C}type", "Tin\u{200D}type", "Tin\u{2060}type",
            "Tin\u{00AD}type", "Tin\u{FEFF}type", "Tin\u{034F}type", "Tin\u{E0074}type", "Tin\u{E0001}type",
            "Tin\u{2061}type", "Tin\u{FFF9}type", "Tin\u{FE0F}type", "Tin\u{E0100}type", "Tin\u{2800}type",
            "Tin\u{3164}type", "Tin\u{FFA0}type", "Tin\u{115F}type", "Tin\u{1160}type", "Tin\u{17B4}type",
            "Tin\u{180B}type", "Tin\u{1D159}type", "Tin\u{1D173}type", "Tin\u{FFFC}type", "Tin\u{E000}type",
            "Tin\u{F8FF}type", "Tin\u{10FFFD}type", "Tin\u{FFFE}type", "Tin\u{200E}type", "Tin\u{200F}type",
            "Tin\u{061C}type", "\u{202E}epytniT", "Tin\u{202A}type", "Tin\u{202C}type", "Tin\u{2066}type",
            "Tin\u{2069}type", "Ana\u{200D}", "Ana 👩\u{200D}", "👩\u{200D}1", "1\u{FE0F}", "❤️\u{FE0F}",
            "نور\u{200C}",
            "🏴\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}", "Ana\u{E0067}\u{E007F}",
            "🏴\u{E0068}\u{E0069}\u{E007F}",
        ])
    func hidden(name: String) { #expect(ShownText.problem(in: name) == .hidden) }

    @Test(
        "What shows nothing is blank",
        arguments: [
            "", " ", "\u{3000}", "\u{00A0}", "\u{200B}", "\u{2800}", "\u{3164}\u{3164}", "\u{115F}\u{1160}",
            "\u{202E}",
            "\u{0301}", " \u{20DD}", "\u{FE0F}", "\u{E0041}\u{E0042}", "\u{200D}", "\u{2028}",
        ])
    func blank(name: String) { #expect(ShownText.problem(in: name) == .blank) }

    @Test("Names have one line, and promises may have several")
    func lines() {
        #expect(ShownText.problem(in: "Ana\nBea") == .control)
        #expect(ShownText.problem(in: "Ana\nBea", hasLines: true) == nil)
        #expect(ShownText.problem(in: "Zoë\nBea", hasLines: true) == nil)
        for separator in ["\t", "\r", "\u{0}", "\u{1B}[2J", "\u{85}", "\u{2028}", "\u{2029}"] {
            #expect(ShownText.problem(in: "Ana\(separator)Bea", hasLines: true) == .control)
        }
    }

    @Test("Four marks fit on one letter, and no more")
    func marks() {
        func stack(_ count: Int) -> String { "Zalg" + String(repeating: "\u{0335}", count: count) + "o" }
        #expect(ShownText.problem(in: stack(4)) == nil)
        #expect(ShownText.problem(in: stack(5)) == .marks)
        #expect(ShownText.problem(in: stack(50)) == .marks)
        // An accent that is a part of its letter is one too.
        #expect(ShownText.problem(in: "ế\u{0323}\u{0323}\u{0323}") == .marks)
        #expect(ShownText.problem(in: "n\u{0301}\u{FE0E}\u{0301}\u{0301}\u{0301}\u{0301}") == .hidden)
    }

    @Test("A text from before the rule keeps what its person meant, and turns nothing around")
    func cleaned() {
        #expect(ShownText.cleaned("\u{202E}Ana\u{202C}") == "Ana")
        #expect(ShownText.cleaned("Ana\u{E0041}\u{200B} 👩‍👧") == "Ana 👩‍👧")
        #expect(ShownText.cleaned("می\u{200C}خواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿") == "می\u{200C}خواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿")
        #expect(ShownText.cleaned("שלום\u{200F}!", hasLines: true) == "שלום\u{200F}!")
        #expect(ShownText.cleaned("Zoë\nAna", hasLines: true) == "Zoë\nAna")
    }

    // MARK: Where it holds

    private static let bad = [
        ("\u{2800}", "ERR_BLANK"), ("\u{202E}nomiS", "ERR_INVALID"), ("Tin\u{180E}type", "ERR_INVALID"),
        ("A" + String(repeating: "\u{0301}", count: 20), "ERR_INVALID"), ("Tintype", "ERR_RESERVED"),
        ("TΙNТYPE", "ERR_RESERVED"),
    ]

    @Test("A refused name of a person comes back with what was typed and what to do", arguments: bad)
    func people(name: String, code: String) async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let form = try await world.stranger.submit(
            "/signup", ["username": "simon", "display_name": name, "password": "correct horse"])
        #expect(form.status == 422)
        #expect(form.shows("value=\"simon\"") && form.shows("value=\"\(name.trimmed)\""), "\(form.text)")
        let patched = try await olga.send(
            .patch, "/api/v1/accounts/update_credentials", form: ["display_name": name])
        #expect(patched.status == 422)
        #expect(patched["details"]["display_name"][0]["error"] == .text(code), "\(patched.text)")
        let description = try #require(patched["details"]["display_name"][0]["description"].string)
        #expect(form.shows(description), "\(description)")
        let profile = try await olga.submit(
            "/settings/profile", ["username": "olga", "display_name": name, "note": "Typed"])
        #expect(profile.status == 422 && profile.shows("Typed") && profile.shows("value=\"\(name.trimmed)\""))
        #expect(try await olga.get("/api/v1/accounts/verify_credentials")["display_name"] == "Olga")
        await #expect(throws: Refusal.self) { _ = try await world.account("simon", displayName: name) }
    }

    @Test("A name from before the rule remains, and so does a profile that is saved with it")
    func remaining() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        try await world.tintype.database.write { [id = olga.id] in
            try $0.execute(
                "UPDATE accounts SET display_name = 'Tintype', username = 't1ntype' WHERE id = $1", id)
        }
        let again = try await olga.logIn(.browser)
        let saved = try await again.submit(
            "/settings/profile", ["username": "t1ntype", "display_name": "Tintype", "note": "Saved"])
        #expect(saved.status == 303)
        let own = try await again.get("/api/v1/accounts/verify_credentials")
        #expect(own["display_name"] == "Tintype" && own["source"]["note"] == "Saved")
    }

    @Test("An app can’t have such a name either", arguments: bad)
    func apps(name: String, code: String) async throws {
        let world = try await World()
        let answer = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": .text(name), "redirect_uris": "app://x"])
        #expect(answer.status == 422)
        #expect(answer["details"]["client_name"][0]["error"] == .text(code), "\(answer.text)")
    }

    @Test("Nor a promise or a rule of a contract", arguments: bad.prefix(4))
    func promises(text: String, code: String) async throws {
        let people = try await World().friends("ana", "ben")
        for fields in [
            ["promise": JSON.text(text)], ["rules": .list([.text("Fine"), .text(text)])],
        ] {
            let answer = try await people[0].post(
                Person.contracts, json: try await people[0].proposal(to: people[1], changed: fields))
            #expect(answer.status == 422)
            let field = fields.keys.first == "promise" ? "promise" : "rules"
            #expect(answer["details"][field][0]["error"] == .text(code), "\(answer.text)")
        }
    }
}

@Suite("Names that only the server has")
struct TakenNamesTests {
    @Test(
        "The server’s name is taken however it is written",
        arguments: [
            "Tintype", "TINTYPE", " tin type ", "T-i-n-t-y-p-e", "Tintype™", "★ Tintype ★", "Tintype!",
            "!Tintype|", "Tíntypé",
            "Ｔｉｎｔｙｐｅ", "𝕋𝕚𝕟𝕥𝕪𝕡𝕖", "𝐓𝐢𝐧𝐭𝐲𝐩𝐞", "Ⓣⓘⓝⓣⓨⓟⓔ", "🅃🄸🄽🅃🅈🄿🄴", "🅣🅘🅝🅣🅨🅟🅔", "🆃🅸🅽🆃🆈🅿🅴", "🇹🇮🇳🇹🇾🇵🇪",
            "T1ntype", "Tlntype", "T|ntype", "T!ntype", "Tıntype", "TINTYP3", "Тintype", "Tіntype", "Tintуpe",
            "Tintyре",
            "ТІNТУРЕ", "ΤΙΝΤΥΡΕ", "Tιητγρε", "ᴛɪɴᴛʏᴘᴇ", "ТИНТУРЕ".replacing("ИН", with: "ІИ"),
            "tin\u{200B}type",
            "tin.type", "_tintype_",
        ])
    func taken(name: String) {
        #expect(TakenNames(server: "Photos of the Lindens").contain(name), "\(TakenNames.folded(name))")
    }

    @Test(
        "Other names are free",
        arguments: ["Ana", "Tin", "Tintypes", "Tintype 2", "For Tintype", "Ice Cubes", "🌿", "نور", "山田"])
    func free(name: String) { #expect(!TakenNames(server: "Photos of the Lindens").contain(name)) }

    @Test("So is the name that the operator has chosen, unless it has no letters")
    func operators() async throws {
        let taken = TakenNames(server: "Photos of the Lindens")
        #expect(
            taken.contain("photos of the lindens")
                && taken.contain("РНОТОЅ OF THE L1NDENS".replacing("Н", with: "h")))
        #expect(!TakenNames(server: "🌿").contain("🌿") && !TakenNames(server: "").contain(""))
        let world = try await World { $0.name = "Lindens" }
        let answer = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": "Lindеns", "redirect_uris": "app://x"])
        #expect(answer.status == 422 && answer["details"]["client_name"][0]["error"] == "ERR_RESERVED")
        await #expect(throws: Refusal.self) { _ = try await world.account("lindens", displayName: "Ida") }
    }
}
