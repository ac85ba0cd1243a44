extension OpenAPI {
    static let passwordResets = Area(
        name: "Password resets",
        description: "A new password for who has forgotten theirs, by mail.",
        operations: [
            Operation(
                .post, "/v1/password-resets", "askForPasswordReset", "Ask for a new password",
                """
                If there is an account with the address, it is sent a link that works once, for an hour; an earlier link \
                ends. The answer is the same if there is none. The message is in the language of `Accept-Language`: \
                English, Spanish or Polish.
                """, work: .write, access: .everyone, body: .json("PasswordResetRequest"),
                answers: [Answer(status: 202, description: "If there is such an account, a message is on its way.")],
                refusals: [.tooManyRequests]),
            Operation(
                .post, "/v1/password-resets/{token}", "resetPassword", "Choose a new password",
                """
                Ends all sessions, and tells the owner by mail. `reset-invalid` (404) for a token that is unknown, used, \
                replaced by a later one, or older than an hour; `suspended` (403) while the account is suspended.
                """, work: .write, access: .everyone, body: .json("NewPassword"),
                answers: [.noContent("The new password holds.")]),
        ],
        parameters: [
            "token": #"""
            {
              "name": "token", "in": "path", "required": true,
              "description": "From the link in the message, behind `#reset=`.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 200},
              "example": "4fZSYA6kXiOFbLy2qNT4BM0r2Z_dAZ6qmLzHoXIDxpU"
            }
            """#
        ],
        schemas: [
            "PasswordResetRequest": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["email"],
              "properties": {"email": {"type": "string", "format": "email", "maxLength": 254}},
              "examples": [{"email": "teddy@example.org"}]
            }
            """#,
            "NewPassword": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["password"],
              "properties": {
                "password": {"type": "string", "format": "password", "minLength": 8, "maxLength": 256}
              },
              "examples": [{"password": "staple of eleven words"}]
            }
            """#,
        ])
}
