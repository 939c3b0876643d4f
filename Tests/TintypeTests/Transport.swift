import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

/// A protocol in which clients talk to a server on a real port.
///
/// ```swift
/// let world = try await World { Transport.http2.configure(&$0) }
/// try await Transport.http2.withClient { client in
///     try await world.live { server in
///         try await Transport.http2.greet(server, with: client)
///         …
/// ```
enum Transport: String, CaseIterable, CustomTestStringConvertible {
    case http1 = "HTTP/1.1"
    case http1OverTLS = "HTTP/1.1 over TLS"
    case http2 = "HTTP/2"

    var testDescription: String { rawValue }

    /// Makes a server speak it. The certificate lies in the data folder.
    func configure(_ configuration: inout ServerConfiguration) {
        guard self != .http1 else { return }
        let path = configuration.data + "/localhost.pem"
        try! Self.certificate.write(toFile: path, atomically: true, encoding: .utf8)
        (configuration.tlsCertificate, configuration.tlsKey) = (path, path)
    }

    /// Lends a client that speaks it, and ends the client's connections. All requests of HTTP/2 share a connection once
    /// the client has greeted the server.
    func withClient<Value>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        configuration.tlsConfiguration = tls
        configuration.httpVersion = self == .http2 ? .automatic : .http1Only
        return try await HTTPClient.withHTTPClient(configuration: configuration) { try await body($0) }
    }

    /// Makes a connection, and sees that it is of this protocol.
    func greet(_ server: LiveServer, with client: HTTPClient) async throws {
        let request = HTTPClientRequest(url: url("/healthz", on: server))
        let answer = try await client.execute(request, timeout: .minutes(1))
        _ = try await answer.body.collect(upTo: 1000)
        try #require(answer.status == .ok && answer.version == (self == .http2 ? .http2 : .http1_1))
    }

    /// A request of a person.
    ///
    /// - Parameter form: the body, as ``FormPart`` writes it.
    func request(
        _ method: HTTPMethod, _ path: String, on server: LiveServer, as person: Person,
        form: HTTPClientRequest.Body? = nil
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url(path, on: server))
        request.method = method
        for field in person.credentials { request.headers.add(name: field.name.rawName, value: field.value) }
        if form != nil { request.headers.add(name: "Content-Type", value: FormPart.contentType) }
        request.body = form
        return request
    }

    private func url(_ path: String, on server: LiveServer) -> String {
        "\(self == .http1 ? "http" : "https")://localhost:\(server.port)\(path)"
    }

    /// A key and a certificate of `localhost` until 2126, for tests alone.
    ///
    /// Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 36500 -nodes -subj /CN=localhost
    /// -addext subjectAltName=DNS:localhost`.
    private static let certificate = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEcI84+4VYyrK1OUk
        iCrRk0pEFLa39HHSXVMenka6a2KhRANCAAQRqGdWMkHxZBvdEmHtyCgLPJDZNXCH
        yuaSIj6HxxKcLOc57juW/Da9MsJsbRR64PagSgdjUIGXyRb1NyfrP2Ek
        -----END PRIVATE KEY-----
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUBuhft63Cv2a4Q3r24VRRwaIDbQYwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE4MTg0MFoYDzIxMjYxMDMw
        MTgxODQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQRqGdWMkHxZBvdEmHtyCgLPJDZNXCHyuaSIj6HxxKcLOc57juW/Da9
        MsJsbRR64PagSgdjUIGXyRb1NyfrP2Eko2kwZzAdBgNVHQ4EFgQULhGrNs91u/A+
        CcvWUEA3A7Ij0KkwHwYDVR0jBBgwFoAULhGrNs91u/A+CcvWUEA3A7Ij0KkwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgJk0NRAKTsg+wQPA0//Q85UucdrHiO4TAWk/26gkN4ZECIQCdzeBbwOdm
        j44gn3Xl2Turi+cXwk9gDrl8MOGyT2/zoA==
        -----END CERTIFICATE-----

        """
}
