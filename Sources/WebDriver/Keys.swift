/// Keys without a character (W3C WebDriver 2, 17.4.2), to be typed like text.
package enum Keys {
    package static let backspace = "\u{E003}"
    package static let tab = "\u{E004}"
    package static let enter = "\u{E007}"
    package static let shift = "\u{E008}"
    package static let control = "\u{E009}"
    package static let escape = "\u{E00C}"
    package static let left = "\u{E012}"
    package static let up = "\u{E013}"
    package static let right = "\u{E014}"
    package static let down = "\u{E015}"
    package static let end = "\u{E010}"
    package static let home = "\u{E011}"
}
