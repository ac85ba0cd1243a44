extension OpenAPI {
    static let managedAccounts = Area(
        name: "Administration",
        description: "Everybody's accounts, and who did what. For admins; to everybody else these calls do not exist.",
        operations: [
            Operation(
                .get, "/v1/admin/users", "listAccounts", "List accounts",
                "By username. `q` is the beginning of a username, a display name or an e-mail address.", work: .read,
                access: .session, parameters: ["accountQuery", "limit", "cursor"],
                answers: [.list("ManagedAccountItems", "A page of accounts.")]),
            Operation(
                .patch, "/v1/admin/users/{userId}", "changeAccount", "Change somebody's role, or suspend them",
                "Who is suspended is signed out everywhere at once and cannot sign in; what they own stays.",
                work: .write, access: .session, body: .mergePatch("ManagedAccountChange"),
                answers: [.resource("ManagedAccount", "The account.")],
                conflicts: ["last-admin": "nobody could do this any more; appoint somebody else first"]),
            Operation(
                .get, "/v1/admin/audit", "listAudit", "List what admins and curators did",
                "The newest first: imports, changes of datasets, roles and suspensions.", work: .read,
                access: .session, parameters: ["limit", "cursor"],
                answers: [.list("AuditEntryItems", "A page of lines.")]),
        ],
        parameters: [
            "accountQuery": #"""
            {
              "name": "q", "in": "query", "description": "The beginning of a name or e-mail address.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 100}, "example": "mari"
            }
            """#
        ],
        schemas: [
            "ManagedAccount": #"""
            {
              "type": "object",
              "required": ["id", "username", "displayName", "email", "role", "suspended", "createdAt"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "username": {"type": "string"},
                "displayName": {"type": "string"},
                "email": {"type": "string"},
                "role": {"type": "string", "enum": ["user", "curator", "admin"]},
                "suspended": {"type": "boolean"},
                "createdAt": {"$ref": "#/components/schemas/Time"}
              },
              "examples": [
                {
                  "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
                  "email": "marisol@example.org", "role": "curator", "suspended": false,
                  "createdAt": "2026-11-02T08:15:00.000Z"
                }
              ]
            }
            """#,
            "ManagedAccountItems": page(of: "ManagedAccount"),
            "ManagedAccountChange": #"""
            {
              "type": "object", "additionalProperties": true,
              "description": "A merge patch; read-only members may come along unchanged.",
              "properties": {
                "role": {"type": "string", "enum": ["user", "curator", "admin"]},
                "suspended": {"type": "boolean"}
              },
              "examples": [{"role": "curator"}]
            }
            """#,
            "AuditEntry": #"""
            {
              "type": "object",
              "required": ["id", "at", "username", "action", "subject", "detail"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "at": {"$ref": "#/components/schemas/Time"},
                "username": {"type": ["string", "null"], "description": "Null for the command line."},
                "action": {"type": "string"},
                "subject": {"type": "string", "description": "The dataset's or account's name."},
                "detail": {"type": ["object", "null"], "additionalProperties": true}
              },
              "examples": [
                {
                  "id": "1883093808054272003", "at": "2026-11-30T12:00:00.140Z", "username": "marisol",
                  "action": "dataset.restore", "subject": "museums", "detail": {"restores": 1, "version": 3}
                }
              ]
            }
            """#,
            "AuditEntryItems": page(of: "AuditEntry"),
        ])
}
