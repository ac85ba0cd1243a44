import SocialModel

/// Whether somebody is signed in.
public enum SessionState: Hashable, Sendable {
    case signedIn(Identifier<User>)
    case signedOut(SignedOutReason)
}

/// Why nobody is signed in.
public enum SignedOutReason: Hashable, Sendable {
    /// Nobody has signed in yet.
    case never
    /// This client signed out.
    case here
    /// The server renews the tokens no more: the session was ended elsewhere, or has expired.
    case ended
}
