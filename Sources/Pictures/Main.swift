import Decoding
import Imaging

/// The process that decodes strangers' pictures for the server, which starts it with a socket as descriptor 3. It stays
/// as long as the server runs, and forks a process for each job.
@main
struct Pictures {
    static func main() {
        do {
            guard let service = try WarmProcess(socket: FrameSocket(Descriptor(3))).nextJob(),
                let job = service.job()
            else { return }
            try service.answer(job)
        } catch {
            // The server has ended, and this process ends with it.
        }
    }
}
