import Foundation

/// A folder of messages as `.eml` files, which mail programs open. Only the owner may read them.
package struct Outbox: Sendable {
    package let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    /// Writes a message so that the file is whole or not there, whatever stops the machine. The same `name` again
    /// replaces it.
    ///
    /// - Throws: `MailFailure`.
    func write(_ message: [UInt8], name: String) throws {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure("the outbox cannot be made") }
        let (path, draft) = ("\(folder)/\(name).eml", "\(folder)/.\(name).part")
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("the outbox cannot be written") }
        defer { close(file) }
        do {
            var rest = message[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { throw Self.failure("the outbox cannot be written") }
                rest = rest.dropFirst(max(0, count))
            }
            guard fsync(file) == 0, rename(draft, path) == 0 else {
                throw Self.failure("the outbox cannot be written")
            }
        } catch {
            unlink(draft)
            throw error
        }
        // The name is on the disk when its folder is.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    private static func failure(_ what: String) -> MailFailure {
        MailFailure(reason: "\(what): \(String(cString: strerror(errno)))", isFinal: false)
    }
}
