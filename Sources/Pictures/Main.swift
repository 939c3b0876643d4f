import Decoding
import Imaging

/// Decodes strangers' pictures for the server, which starts it with a socket as descriptor 3, and ends with it.
@main
struct Pictures {
    static func main() {
        let service = PictureService(socket: FrameSocket(Descriptor(3)))
        do {
            guard try service.enter() else { return }
            while let job = service.next() { try service.answer(job) }
        } catch {
            // The server has gone, and this process goes with it.
        }
    }
}
