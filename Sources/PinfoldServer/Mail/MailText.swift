/// What a message says, in the reader's language.
struct MailText: Sendable, Equatable {
    let subject: String
    let body: String

    /// The way to a new password.
    ///
    /// - Parameter link: works once, for an hour.
    static func passwordReset(of username: String, at service: String, link: String, in language: MailLanguage) -> Self
    {
        switch language {
        case .en:
            MailText(
                subject: "Choose a new password",
                body: """
                    Somebody, probably you, asked for a new password for the account
                    \(username) at
                    \(service)

                    Choose it here within an hour:

                    \(link)

                    The link works once. If it was not you who asked, there is nothing to
                    do: your password stays as it is.

                    """)
        case .es:
            MailText(
                subject: "Elige una contraseña nueva",
                body: """
                    Alguien, probablemente tú, ha pedido una contraseña nueva para la
                    cuenta \(username) en
                    \(service)

                    Elígela aquí en el plazo de una hora:

                    \(link)

                    El enlace funciona una sola vez. Si no lo has pedido tú, no hace falta
                    que hagas nada: tu contraseña sigue siendo la misma.

                    """)
        case .pl:
            MailText(
                subject: "Ustaw nowe hasło",
                body: """
                    Ktoś, prawdopodobnie Ty, poprosił o nowe hasło do konta
                    \(username) w serwisie
                    \(service)

                    Ustaw je tutaj w ciągu godziny:

                    \(link)

                    Link działa tylko raz. Jeśli to nie Ty, nie musisz nic robić: hasło
                    pozostaje bez zmian.

                    """)
        }
    }

    /// That the password is another one now.
    static func passwordChanged(of username: String, at service: String, in language: MailLanguage) -> Self {
        switch language {
        case .en:
            MailText(
                subject: "Your password was changed",
                body: """
                    The password of the account \(username) at
                    \(service)
                    was changed.

                    If it was not you, ask there for a new password now: it is sent to
                    this address, and whoever is signed in is signed out by it.

                    """)
        case .es:
            MailText(
                subject: "Tu contraseña ha cambiado",
                body: """
                    La contraseña de la cuenta \(username) en
                    \(service)
                    ha cambiado.

                    Si no has sido tú, pide allí ahora una contraseña nueva: se envía a
                    esta dirección y cierra todas las sesiones abiertas.

                    """)
        case .pl:
            MailText(
                subject: "Twoje hasło zostało zmienione",
                body: """
                    Hasło do konta \(username) w serwisie
                    \(service)
                    zostało zmienione.

                    Jeśli to nie Ty, poproś tam teraz o nowe hasło: link przyjdzie na ten
                    adres, a wszystkie otwarte sesje zostaną zakończone.

                    """)
        }
    }

    /// To the old address, that the account has another one now. It does not say which.
    static func emailChanged(of username: String, at service: String, in language: MailLanguage) -> Self {
        switch language {
        case .en:
            MailText(
                subject: "Your e-mail address was changed",
                body: """
                    The account \(username) at
                    \(service)
                    has another e-mail address now; this one is no longer used.

                    If it was not you, tell whoever runs the service.

                    """)
        case .es:
            MailText(
                subject: "Tu dirección de correo ha cambiado",
                body: """
                    La cuenta \(username) en
                    \(service)
                    tiene ahora otra dirección de correo; esta ya no se usa.

                    Si no has sido tú, avisa a quien administra el servicio.

                    """)
        case .pl:
            MailText(
                subject: "Twój adres e-mail został zmieniony",
                body: """
                    Konto \(username) w serwisie
                    \(service)
                    ma teraz inny adres e-mail; ten nie jest już używany.

                    Jeśli to nie Ty, powiadom osobę, która prowadzi serwis.

                    """)
        }
    }
}
