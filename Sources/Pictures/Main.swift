import Decoding
import Imaging

/// Decodes strangers' pictures for the server, which starts it with a socket as descriptor 3, and ends with it: one
/// process that stays, and forks one for each job.
@main
struct Pictures {
    static func main() {
        do {
            guard let service = try WarmProcess(socket: FrameSocket(Descriptor(3))).nextJob(),
                let job = service.job()
            else { return }
            try service.answer(job)
        } catch {
            // The server has gone, and this process goes with it.
        }
    }
}
