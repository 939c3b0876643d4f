import Foundation

/// The keys with which requests to an S3 store are signed.
struct S3Keys: Sendable {
    let id: String
    let secret: String

    /// Finds the keys where Amazon's own tools look for them: in the variables `AWS_ACCESS_KEY_ID` and
    /// `AWS_SECRET_ACCESS_KEY`, or in the file that `AWS_SHARED_CREDENTIALS_FILE` names, `~/.aws/credentials` if none, in
    /// its section `AWS_PROFILE`, `default` if none
    /// (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
    /// - Throws: `BlobError.other` with a sentence for the operator.
    static func load(_ environment: [String: String]) throws(BlobError) -> S3Keys {
        if let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] {
            return S3Keys(id: id, secret: secret)
        }
        let path =
            environment["AWS_SHARED_CREDENTIALS_FILE"]
            ?? "\(FileManager.default.homeDirectoryForCurrentUser.path)/.aws/credentials"
        let text: String
        do {
            let file = try OpenFile(path, O_RDONLY)
            guard try !file.mayOthersUse() else {
                throw BlobError.other(
                    message:
                        "Others than its owner may read \(path), which has the store’s keys. Say `chmod 600` to it."
                )
            }
            text = String(decoding: try file.read(at: 0, count: 64 * 1024), as: UTF8.self)
        } catch let error as BlobError {
            throw error
        } catch {
            throw .other(
                message: """
                    The store’s keys are missing. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with them \
                    in AWS_SHARED_CREDENTIALS_FILE (\(error)).
                    """)
        }
        let profile = environment["AWS_PROFILE"] ?? "default"
        let values = section(profile, of: text)
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw .other(
                message:
                    "\(path) has no aws_access_key_id and aws_secret_access_key in its section [\(profile)].")
        }
        return S3Keys(id: id, secret: secret)
    }

    private static func section(_ name: String, of text: String) -> [String: String] {
        var (values, isInside) = ([String: String](), false)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") {
                isInside = line == "[\(name)]"
            } else if isInside, let sign = line.firstIndex(of: "="), !line.hasPrefix("#") {
                let key = line[..<sign].trimmingCharacters(in: .whitespaces)
                values[key] = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
            }
        }
        return values
    }
}
