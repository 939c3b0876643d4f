import Core
import Foundation
import People
import Serving
import Storage

/// A past photo that is going to be matched: a photo of the library, a found photo, or that of an earlier pair.
package struct ThenSource: Sendable {
    /// The reference to a past photo.
    package enum Reference: Sendable, Hashable {
        /// A photo of the viewer's library.
        case photo(Photo.ID)
        /// A photo that was found nearby.
        case past(PastPhoto.ID)
        /// The past photo of an earlier pair.
        case again(Pair.ID)
    }

    let reference: Reference
    /// The past photo with its origin and credit.
    let then: Pair.Then
    /// The address of the picture, at most 1,440 pixels at the longer side.
    let picture: String
    /// A description of the photo, for people who can't see it.
    let description: String

    /// The width of the upright picture in pixels.
    var width: Int { then.width }
    /// The height of the upright picture in pixels.
    var height: Int { then.height }
    /// The address of the photo's page at its source.
    var sourceURL: String? { then.sourceURL }

    /// The query by which pages name the photo, such as `photo=12`.
    var query: String {
        switch reference {
        case .photo(let id): "photo=\(id)"
        case .past(let id): "past=\(id)"
        case .again(let id): "again=\(id)"
        }
    }

    /// The date and the credit on one line, such as `1931 · Fondo Arrieta · CC BY`.
    var label: String {
        [then.dateWords, then.author, then.licence].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

extension ThenSource.Reference {
    /// Reads the past photo that a page or a form names; nil when it names none.
    ///
    /// - Parameters:
    ///   - photo: the name of the parameter for a photo of the library.
    ///   - past: the name of the parameter for a found photo.
    ///   - again: the name of the parameter for an earlier pair.
    /// - Throws: ``Refusal`` (404) for a text that isn't an identifier.
    init?(_ input: Input, photo: String = "photo", past: String = "past", again: String = "again") throws {
        func id<Entity>(_ name: String) throws -> ID<Entity>? {
            guard let text = input.string(name), !text.isEmpty else { return nil }
            guard let id = ID<Entity>(text) else { throw Refusal.notFound }
            return id
        }
        if let id: Photo.ID = try id(photo) {
            self = .photo(id)
        } else if let id: PastPhoto.ID = try id(past) {
            self = .past(id)
        } else if let id: Pair.ID = try id(again) {
            self = .again(id)
        } else {
            return nil
        }
    }
}
