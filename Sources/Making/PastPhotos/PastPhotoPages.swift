import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The page "Find Nearby": the form of a search, and the old photos of the last search.
struct PastPhotoPages {
    let frame: Frame
    let pastPhotos: PastPhotoService
    let entities: PastPhotoEntities
    let map: MapSettings
    /// The address of the camera that retakes old photos.
    let camera: String

    /// How long a page repeats the messages about a search, in seconds.
    private static let alertSeconds: TimeInterval = 600

    private var components: PastPhotoComponents { PastPhotoComponents(frame: frame, camera: camera) }
    private var thisYear: Int { Timestamp.year(of: frame.now()) }

    func add(to router: Router<AppContext>) {
        router.get("then-and-now/nearby") { request, context in
            let viewer = try context.viewer
            let search = try await pastPhotos.last(of: viewer)
            let form = PastPhotoForm(search?.query, thisYear: thisYear)
            return page(form, search, alerts(of: search), for: viewer, request, context)
        }
        router.post("then-and-now/nearby", use: search)
    }

    /// Searches with the form's values, and returns to the page. A refused search returns the values with the reason.
    private func search(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        do {
            var query = try PastPhotoQuery(
                input, sources: pastPhotos.sources.map(\.name), thisYear: thisYear)
            if input.bool("wider") == true { query = PastPhotoForm.wider(query, thisYear: thisYear) }
            switch try await pastPhotos.search(query, by: viewer) {
            case .saved: return .see(PastPhotoPaths.search)
            case .failed(let answers): return try await failed(query, answers, for: viewer, request, context)
            }
        } catch let refusal as Refusal {
            let search = try await pastPhotos.last(of: viewer)
            let form = PastPhotoForm(input, refusal.fields, thisYear: thisYear)
            let alerts = [PastPhotoComponents.Alert(kind: "server", sentence: refusal.message)]
            return page(
                form, search, alerts, for: viewer, request, context,
                status: ErrorResponses.status(refusal.kind))
        }
    }

    /// Shows the page after a search that found nothing because sources failed: the values, the reasons, and the
    /// results of the search before.
    private func failed(
        _ query: PastPhotoQuery, _ answers: [PastSearch.Answer], for viewer: Account, _ request: Request,
        _ context: AppContext
    ) async throws -> Response {
        let last = try await pastPhotos.last(of: viewer)
        var alerts = answers.compactMap { PastPhotoComponents.Alert($0) }
        if last?.photos.isEmpty == false { alerts.append(.kept) }
        let form = PastPhotoForm(query, thisYear: thisYear)
        return page(form, last, alerts, for: viewer, request, context)
    }

    /// Returns the messages about a search that was just made.
    private func alerts(of search: PastSearch?) -> [PastPhotoComponents.Alert] {
        guard let search, frame.now().timeIntervalSince(search.id.createdAt) < Self.alertSeconds else {
            return []
        }
        var alerts = search.answers.compactMap { PastPhotoComponents.Alert($0) }
        if search.photos.isEmpty, search.answers.allSatisfy({ $0.state != .failed }) {
            alerts.append(.nothingFound(search.query, thisYear: thisYear))
        }
        return alerts
    }

    private func page(
        _ form: PastPhotoForm, _ search: PastSearch?, _ alerts: [PastPhotoComponents.Alert],
        for viewer: Account, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var json = JSONWriter(capacity: 32_768)
        entities.search(search, viewer: context.reader, into: &json)
        return Page(
            title: "Find Nearby", styles: [.controls, .pastPhotos], tab: .create,
            bodyClass: "grouped pushed nearby-page"
        ).response(frame, request, context, status: status) {
            element("nearby-search", .attribute("data-last", String(decoding: json.bytes, as: UTF8.self))) {
                frame.bar("Find Nearby", back: ("Then & Now", camera)) {
                    button(.class("button"), .attribute("form", PastPhotoComponents.formID)) { "Search" }
                }
                main(.id("content"), .class("nearby")) {
                    components.map(map)
                    div(.class("nearby-panel")) {
                        div(.class("notices"), .flag("data-notices")) { alerts.map(components.alert) }
                        components.form(form)
                        components.progress
                        components.results(search, sources: pastPhotos.sources.map(\.title))
                    }
                }
            }
        }
    }
}

extension Page.Style {
    static let pastPhotos = Page.Style(name: "past-photos")
}
