/// An e-mail address that stands in a header field and in an SMTP command as it is: nothing in it ends either.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// Nil unless `text` has the plain form of an address, `local@domain`.
    package init?(_ text: String) {
        guard EmailAddress.isPlain(text) else { return nil }
        self.text = text
    }

    var domain: Substring { text.split(separator: "@").last ?? "" }

    /// What a machine of this domain may call itself (`EHLO`): the domain, if it is a plain host name.
    var greeting: String {
        let isPlain = domain.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-".unicodeScalars.contains(scalar))
        }
        return isPlain ? String(domain) : "localhost"
    }

    package var description: String { text }
}
