import HTTP

/// The whole API: each route, its handler and how it runs.
package func routes(_ app: App) -> Router {
    var router = Router()

    router.post("/v1/users", app.pool(AccountRoutes.signUp))
    router.get("/v1/users", app.read(AccountRoutes.search))
    router.get("/v1/users/:userId", app.read(AccountRoutes.profile))
    router.get("/v1/me", app.read(AccountRoutes.own))
    router.patch("/v1/me", app.pool(AccountRoutes.change))
    router.delete("/v1/me", app.pool(AccountRoutes.remove))
    router.get("/v1/me/privacy", app.read(PrivacyRoutes.show))
    router.patch("/v1/me/privacy", app.write(PrivacyRoutes.change))
    router.put("/v1/me/password", app.pool(AccountRoutes.changePassword))
    router.get("/v1/me/pins.geojson", app.pool(ExportRoutes.pins(as: .geojson)))
    router.get("/v1/me/pins.gpx", app.pool(ExportRoutes.pins(as: .gpx)))
    router.get("/v1/me/pins.kml", app.pool(ExportRoutes.pins(as: .kml)))
    router.get("/v1/me/pins.csv", app.pool(ExportRoutes.pins(as: .csv)))
    router.post("/v1/me/export", app.pool(ExportRoutes.everything))

    router.post("/v1/sessions", app.pool(SessionRoutes.signIn))
    router.post("/v1/sessions/refresh", app.pool(SessionRoutes.refresh))
    router.post("/v1/password-resets", app.pool(PasswordResetRoutes.create))
    router.post("/v1/password-resets/:token", app.pool(PasswordResetRoutes.use))

    router.get("/v1/sessions", app.read(SessionRoutes.list))
    router.delete("/v1/sessions", app.write(SessionRoutes.endAll))
    router.delete("/v1/sessions/current", app.write(SessionRoutes.endCurrent))
    router.get("/v1/sessions/:sessionId", app.read(SessionRoutes.show))
    router.delete("/v1/sessions/:sessionId", app.write(SessionRoutes.end))

    router.get("/v1/friends", app.read(FriendRoutes.list))
    router.delete("/v1/friends/:userId", app.write(FriendRoutes.end))
    router.get("/v1/friend-requests", app.read(FriendRequestRoutes.list))
    router.post("/v1/friend-requests", app.write(FriendRequestRoutes.create))
    router.get("/v1/friend-requests/:requestId", app.read(FriendRequestRoutes.show))
    router.delete("/v1/friend-requests/:requestId", app.write(FriendRequestRoutes.cancel))
    router.post("/v1/friend-requests/:requestId/accept", app.write(FriendRequestRoutes.accept))
    router.post("/v1/friend-requests/:requestId/reject", app.write(FriendRequestRoutes.reject))
    router.get("/v1/blocks", app.read(BlockRoutes.list))
    router.put("/v1/blocks/:userId", app.write(BlockRoutes.put))
    router.delete("/v1/blocks/:userId", app.write(BlockRoutes.delete))

    router.get("/v1/circles", app.read(CircleRoutes.list))
    router.post("/v1/circles", app.write(CircleRoutes.create))
    router.get("/v1/circles/:circleId", app.read(CircleRoutes.show))
    router.patch("/v1/circles/:circleId", app.write(CircleRoutes.change))
    router.delete("/v1/circles/:circleId", app.write(CircleRoutes.delete))

    router.get("/v1/pins", app.read(PinRoutes.list))
    router.post("/v1/pins", app.write(PinRoutes.create))
    router.post("/v1/pins/batch", bodyLimit: PinRoutes.batchBytes, app.poolWrite(PinRoutes.batch))
    router.post("/v1/pins/import", bodyLimit: PinRoutes.importBytes, app.pool(PinRoutes.importFile))
    router.get("/v1/pins/clusters", app.longRead(PinMapRoutes.clusters))
    router.get("/v1/pins/changes", app.longRead(ChangeRoutes.list))
    router.get("/v1/pins/:pinId", app.read(PinRoutes.show))
    router.patch("/v1/pins/:pinId", app.write(PinRoutes.change))
    router.delete("/v1/pins/:pinId", app.write(PinRoutes.delete))
    router.post("/v1/pins/:pinId/restore", app.write(PinRoutes.restore))
    router.get("/v1/tiles/pins/:z/:x/:y.mvt", app.longRead(PinMapRoutes.tile))

    router.get("/v1/live", app.immediate(LiveRoutes.webSocket))
    router.get("/v1/events", app.immediate(LiveRoutes.events))

    router.get("/v1/places/reverse", app.immediate(PlaceRoutes.reverse))
    router.post("/v1/places/reverse", app.pool(PlaceRoutes.reverseMany))
    router.get("/v1/places/search", app.immediate(PlaceRoutes.search))
    router.get("/v1/places/:placeId", app.immediate(PlaceRoutes.show))

    router.get("/health", app.immediate(OperationRoutes.health))
    router.get("/ready", app.immediate(OperationRoutes.ready))
    router.get("/metrics", app.immediate(OperationRoutes.metrics))
    router.get("/openapi.json", app.immediate(OperationRoutes.openAPI))
    router.get("/docs", app.immediate(WebRoutes.docs))
    router.get("/", app.immediate(WebRoutes.index))
    return router
}
