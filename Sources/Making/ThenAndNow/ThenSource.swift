import Core
import Foundation
import People
import Serving
import Storage

/// A past photo that is to be matched: a photo of the library, a found photo, or that of an earlier pair.
package struct ThenSource: Sendable {
    /// What a past photo is known by.
    package enum Reference: Sendable, Hashable {
        /// A photo of the viewer's library.
        case photo(Photo.ID)
        /// A photo that was found nearby.
        case past(PastPhoto.ID)
        /// The past photo of an earlier pair.
        case again(Pair.ID)
    }

    let reference: Reference
    /// Where it comes from, and its credit.
    let then: Pair.Then
    /// Where its picture is, at most 1,440 pixels at the longer side.
    let picture: String
    /// What it shows, for those who can't see it.
    let description: String

    /// The pixels of the upright picture.
    var width: Int { then.width }
    /// The pixels of the upright picture.
    var height: Int { then.height }
    /// The page of the photo at its source.
    var sourceURL: String? { then.sourceURL }

    /// The query by which pages name the photo, such as `photo=12`.
    var query: String {
        switch reference {
        case .photo(let id): "photo=\(id)"
        case .past(let id): "past=\(id)"
        case .again(let id): "again=\(id)"
        }
    }

    /// The date and the credit in a line, such as `1931 · Fondo Arrieta · CC BY`.
    var label: String {
        [then.dateWords, then.author, then.licence].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

extension ThenSource.Reference {
    /// Reads which past photo a page or a form names; nil when it names none.
    ///
    /// - Parameters:
    ///   - photo: the name of the parameter for a photo of the library.
    ///   - past: the name of the parameter for a found photo.
    ///   - again: the name of the parameter for an earlier pair.
    /// - Throws: ``Refusal`` (404) for what is no identifier.
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
