extension OpenAPI {
    static let privacy = Area(
        name: "Privacy",
        description: """
            What others find of you, ask of you and are told of you. Friends see your profile whatever you choose, and \
            so do, while a request between you is pending, the one whom you have asked and the one who has asked you.
            """,
        operations: [
            Operation(
                .get, "/v1/me/privacy", "getPrivacy", "Read your privacy settings", work: .read, access: .session,
                parameters: ["IfNoneMatch"], answers: [.resource("Privacy", "Your settings.")]),
            Operation(
                .patch, "/v1/me/privacy", "changePrivacy", "Change your privacy settings",
                """
                From the next request on. Null is refused: a setting always has a value. Requests that are pending stay.
                """, work: .write, access: .session, parameters: ["IfMatch"], body: .mergePatch("PrivacyChange"),
                answers: [.resource("Privacy", "Your settings as they are now.")]),
        ],
        schemas: [
            "Privacy": #"""
            {
              "type": "object",
              "description": "What you let others know and do.",
              "required": ["discoverable", "requestsFrom", "presence", "receipts", "defaultAudience"],
              "properties": {
                \#(properties)
              },
              "examples": [
                {
                  "discoverable": "everyone", "requestsFrom": "everyone", "presence": true, "receipts": true,
                  "defaultAudience": "friends"
                }
              ]
            }
            """#,
            "PrivacyChange": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "description": "What changes.",
              "properties": {
                \#(properties)
              },
              "examples": [{"discoverable": "exact", "defaultAudience": "private"}]
            }
            """#,
        ])

    private static let properties = #"""
        "discoverable": {
          "type": "string", "enum": ["everyone", "exact", "nobody"], "default": "everyone",
          "description": \#(discoverability)
        },
        "requestsFrom": {
          "type": "string", "enum": ["everyone", "invite", "nobody"], "default": "everyone",
          "description": \#(requestSources)
        },
        "presence": {
          "type": "boolean", "default": true, "description": "Your friends see whether you are here, and when you were."
        },
        "receipts": {"type": "boolean", "default": true, "description": "Others see what you have read."},
        "defaultAudience": {
          "type": "string", "enum": ["friends", "private"], "default": "friends",
          "description": "The audience of a new pin that does not say one. An import has its own default, `private`."
        }
        """#

    private static let discoverability = """
        "Who finds you. `everyone`: whoever types how your username or display name starts. `exact`: whoever types your \
        whole username, as for signing in: in any case, with its accents; the display name and the e-mail address find \
        nobody. `nobody`: strangers do not find you, and your id is to them as one that never was, so that they cannot \
        ask you either; where they have had a request or a block with you, it shows your username and no more."
        """

    private static let requestSources = """
        "Who may ask you to be friends. `invite`: only those who accept an invite of yours. `nobody`: nobody. Whoever \
        is refused is told `requests-closed`. Somebody whom you have asked can always accept, by asking you too."
        """
}
