extension Browser {
    /// Gives the page a size in CSS pixels, also smaller than a window can be.
    package func resize(width: Int, height: Int, isPhone: Bool = false) throws {
        try devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": isPhone ? 2 : 1, "mobile": .bool(isPhone),
            ])
        try devTools("Emulation.setTouchEmulationEnabled", ["enabled": .bool(isPhone)])
    }

    /// Sets what the page's media queries see, such as `prefers-color-scheme: dark`; what is left out is as usual.
    package func setMedia(_ features: [String: String]) throws {
        try devTools(
            "Emulation.setEmulatedMedia",
            [
                "features": .array(
                    features.sorted { $0.key < $1.key }.map {
                        ["name": .string($0.key), "value": .string($0.value)]
                    })
            ])
    }

    /// Cuts the page off the network, and tells it so by `navigator.onLine`; or connects it again. Service workers go on:
    /// they are no part of the page.
    package func setOffline(_ isOffline: Bool) throws {
        try devTools("Network.enable")
        try devTools(
            "Network.emulateNetworkConditions",
            ["offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    }

    /// Keeps `navigator.geolocation` from the pages of `origin`.
    package func refusePosition(origin: String) throws {
        try devTools(
            "Browser.setPermission",
            ["origin": .string(origin), "permission": ["name": "geolocation"], "setting": "denied"])
    }

    /// Answers `navigator.geolocation` of the pages of `origin`.
    package func setPosition(latitude: Double, longitude: Double, origin: String) throws {
        try devTools("Browser.grantPermissions", ["origin": .string(origin), "permissions": ["geolocation"]])
        try devTools(
            "Emulation.setGeolocationOverride",
            ["latitude": .number(latitude), "longitude": .number(longitude), "accuracy": 10])
    }
}
