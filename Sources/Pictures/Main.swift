import Decoding
import Imaging

/// Decodes strangers' pictures for the server, which starts it with a socket as descriptor 3, and ends with it.
@main
struct Pictures {
    static func main() throws {
        let service = PictureService(socket: FrameSocket(Descriptor(3)))
        guard service.enter() else { return }
        while let job = service.next() { try service.answer(job) }
    }
}
