extension Browser {
    /// Types to whatever has the focus.
    package func press(_ keys: String...) throws {
        var actions: [JSON] = []
        for key in keys.joined() {
            actions.append(["type": "keyDown", "value": .string(String(key))])
            actions.append(["type": "keyUp", "value": .string(String(key))])
        }
        try perform([["type": "key", "id": "keyboard", "actions": .array(actions)]])
    }

    /// Holds `modifier` while it types `key`.
    package func press(_ key: String, holding modifier: String) throws {
        try perform([
            [
                "type": "key", "id": "keyboard",
                "actions": [
                    ["type": "keyDown", "value": .string(modifier)], ["type": "keyDown", "value": .string(key)],
                    ["type": "keyUp", "value": .string(key)], ["type": "keyUp", "value": .string(modifier)],
                ],
            ]
        ])
    }

    package enum Button: Double, Sendable {
        case left = 0
        case right = 2
    }

    /// Moves the mouse to a point of the window, in CSS pixels, and clicks there.
    package func click(x: Double, y: Double, _ button: Button = .left) throws {
        try perform([
            pointer(
                "mouse",
                [
                    move(x, y), ["type": "pointerDown", "button": .number(button.rawValue)],
                    ["type": "pointerUp", "button": .number(button.rawValue)],
                ])
        ])
    }

    /// Moves the mouse to a point of the window.
    package func hover(x: Double, y: Double) throws {
        try perform([pointer("mouse", [move(x, y)])])
    }

    /// Presses the left button, moves, and lets go.
    ///
    /// - Parameter milliseconds: how long the way takes.
    package func drag(fromX x: Double, y: Double, byX dx: Double, y dy: Double, milliseconds: Double = 200) throws {
        try perform([
            pointer(
                "mouse",
                [
                    move(x, y), ["type": "pointerDown", "button": 0], move(x + dx, y + dy, milliseconds),
                    ["type": "pointerUp", "button": 0],
                ])
        ])
    }

    /// Puts a finger on a point, and takes it off after some time.
    package func touch(x: Double, y: Double, milliseconds: Double) throws {
        try perform([
            pointer(
                "touch",
                [
                    move(x, y), ["type": "pointerDown", "button": 0],
                    ["type": "pause", "duration": .number(milliseconds)], ["type": "pointerUp", "button": 0],
                ])
        ])
    }

    /// Puts a finger on a point, moves it and takes it off.
    ///
    /// - Parameter milliseconds: how long the way takes.
    package func swipe(fromX x: Double, y: Double, byX dx: Double, y dy: Double, milliseconds: Double = 300) throws {
        try perform([
            pointer(
                "touch",
                [
                    move(x, y), ["type": "pointerDown", "button": 0], move(x + dx / 2, y + dy / 2, milliseconds / 2),
                    move(x + dx, y + dy, milliseconds / 2), ["type": "pointerUp", "button": 0],
                ])
        ])
    }

    private func perform(_ actions: [JSON]) throws {
        try command("POST", "/actions", ["actions": .array(actions)])
    }

    private func move(_ x: Double, _ y: Double, _ milliseconds: Double = 0) -> JSON {
        [
            "type": "pointerMove", "duration": .number(milliseconds), "x": .number(x.rounded()),
            "y": .number(y.rounded()),
        ]
    }

    private func pointer(_ kind: String, _ actions: [JSON]) -> JSON {
        [
            "type": "pointer", "id": .string(kind), "parameters": ["pointerType": .string(kind)],
            "actions": .array(actions),
        ]
    }
}
