import HTTP

/// The whole API: each route, its handler and how it runs; an API token needs the scope `read` for what reads and `write`
/// for what writes, where it is not said otherwise.
package func routes(_ app: App) -> Router {
    var router = Router()

    router.post("/v1/users", app.pool(AccountRoutes.signUp))
    router.get("/v1/users", app.read(AccountRoutes.search))
    router.get("/v1/users/:userId", app.read(AccountRoutes.profile))
    router.get("/v1/me", app.read(AccountRoutes.own))
    router.patch("/v1/me", app.pool(AccountRoutes.change))
    router.delete("/v1/me", app.pool(AccountRoutes.remove))
    router.get("/v1/me/privacy", app.read(scope: nil, PrivacyRoutes.show))
    router.patch("/v1/me/privacy", app.write(scope: nil, PrivacyRoutes.change))
    router.put("/v1/me/password", app.pool(AccountRoutes.changePassword))
    router.get("/v1/me/tokens", app.read(scope: nil, APITokenRoutes.list))
    router.post("/v1/me/tokens", app.pool(APITokenRoutes.create))
    router.get("/v1/me/tokens/:tokenId", app.read(scope: nil, APITokenRoutes.show))
    router.delete("/v1/me/tokens/:tokenId", app.write(scope: nil, APITokenRoutes.revoke))
    router.get("/v1/me/pins.geojson", app.pool(scope: .read, ExportRoutes.pins(as: .geojson)))
    router.get("/v1/me/pins.gpx", app.pool(scope: .read, ExportRoutes.pins(as: .gpx)))
    router.get("/v1/me/pins.kml", app.pool(scope: .read, ExportRoutes.pins(as: .kml)))
    router.get("/v1/me/pins.csv", app.pool(scope: .read, ExportRoutes.pins(as: .csv)))
    router.post("/v1/me/export", app.pool(ExportRoutes.everything))

    router.post("/v1/sessions", app.pool(SessionRoutes.signIn))
    router.post("/v1/sessions/refresh", app.pool(SessionRoutes.refresh))
    router.post("/v1/password-resets", app.pool(PasswordResetRoutes.create))
    router.post("/v1/password-resets/:token", app.pool(PasswordResetRoutes.use))

    router.get("/v1/sessions", app.read(scope: nil, SessionRoutes.list))
    router.delete("/v1/sessions", app.write(scope: nil, SessionRoutes.endAll))
    router.delete("/v1/sessions/current", app.write(scope: nil, SessionRoutes.endCurrent))
    router.get("/v1/sessions/:sessionId", app.read(scope: nil, SessionRoutes.show))
    router.delete("/v1/sessions/:sessionId", app.write(scope: nil, SessionRoutes.end))

    router.get("/v1/friends", app.read(FriendRoutes.list))
    router.delete("/v1/friends/:userId", app.write(FriendRoutes.end))
    router.get("/v1/friend-requests", app.read(FriendRequestRoutes.list))
    router.post("/v1/friend-requests", app.write(FriendRequestRoutes.create))
    router.get("/v1/friend-requests/:requestId", app.read(FriendRequestRoutes.show))
    router.delete("/v1/friend-requests/:requestId", app.write(FriendRequestRoutes.cancel))
    router.post("/v1/friend-requests/:requestId/accept", app.write(FriendRequestRoutes.accept))
    router.post("/v1/friend-requests/:requestId/reject", app.write(FriendRequestRoutes.reject))
    router.get("/v1/invites", app.read(scope: nil, InviteRoutes.list))
    router.post("/v1/invites", app.write(InviteRoutes.create))
    router.get("/v1/invites/:code", app.read(InviteRoutes.show))
    router.delete("/v1/invites/:code", app.write(InviteRoutes.delete))
    router.post("/v1/invites/:code/accept", app.write(InviteRoutes.accept))
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
    router.post("/v1/pins/import", bodyLimit: PinRoutes.importBytes, app.pool(scope: .import, PinRoutes.importFile))
    router.get("/v1/pins/clusters", app.longRead(PinMapRoutes.clusters))
    router.get("/v1/pins/changes", app.longRead(ChangeRoutes.list))
    router.get("/v1/pins/:pinId", app.read(PinRoutes.show))
    router.patch("/v1/pins/:pinId", app.write(PinRoutes.change))
    router.delete("/v1/pins/:pinId", app.write(PinRoutes.delete))
    router.post("/v1/pins/:pinId/restore", app.write(PinRoutes.restore))
    router.get("/v1/tiles/pins/:z/:x/:y.mvt", app.longRead(PinMapRoutes.tile))

    router.get("/v1/datasets", app.read(DatasetRoutes.list))
    router.get("/v1/datasets/:datasetId", app.read(DatasetRoutes.show))
    router.get("/v1/landmarks", app.longRead(LandmarkRoutes.list))
    router.get("/v1/landmarks/:landmarkId", app.read(LandmarkRoutes.show))

    router.get("/v1/tiles/landmarks.json", app.read(LandmarkMapRoutes.description))
    router.get("/v1/tiles/landmarks/:z/:x/:y.mvt", app.longRead(LandmarkMapRoutes.tile))

    router.get("/ogc", app.read(OGCRoutes.landing))
    router.get("/ogc/conformance", app.immediate(OGCRoutes.conformance))
    router.get("/ogc/api", app.immediate(OGCRoutes.api))
    // GIS programs ask for either.
    router.slashedPaths = ["/ogc"]
    router.get("/ogc/collections", app.read(OGCRoutes.collections))
    router.get("/ogc/collections/:collectionId", app.read(OGCRoutes.collection))
    router.get("/ogc/collections/:collectionId/items", app.longRead(OGCRoutes.items))
    router.get("/ogc/collections/:collectionId/items/:featureId", app.read(OGCRoutes.item))

    router.get("/v1/live", app.immediate(scope: .read, LiveRoutes.webSocket))
    router.get("/v1/events", app.immediate(scope: .read, LiveRoutes.events))

    router.get("/v1/places/reverse", app.immediate(PlaceRoutes.reverse))
    router.post("/v1/places/reverse", app.pool(PlaceRoutes.reverseMany))
    router.get("/v1/places/search", app.immediate(scope: .read, PlaceRoutes.search))
    router.get("/v1/places/:placeId", app.immediate(PlaceRoutes.show))

    router.post(
        "/v1/admin/imports", bodyLimit: ImportRoutes.fileBytes, upload: ImportRoutes.upload(app),
        app.pool(scope: .import, ImportRoutes.create))
    router.get("/v1/admin/imports", app.read(scope: .import, ImportRoutes.list))
    router.get("/v1/admin/imports/:importId", app.read(scope: .import, ImportRoutes.show))
    router.get("/v1/admin/imports/:importId/errors", app.read(scope: .import, ImportRoutes.errors))
    router.delete("/v1/admin/imports/:importId", app.write(scope: .import, ImportRoutes.cancel))
    router.patch("/v1/admin/datasets/:datasetId", app.write(scope: .import, DatasetAdminRoutes.change))
    router.delete("/v1/admin/datasets/:datasetId", app.write(scope: .import, DatasetAdminRoutes.delete))
    router.get("/v1/admin/datasets/:datasetId/versions", app.read(scope: .import, DatasetAdminRoutes.versions))
    router.post(
        "/v1/admin/datasets/:datasetId/versions/:versionNumber/restore",
        app.write(scope: .import, DatasetAdminRoutes.restore))
    router.get("/v1/admin/users", app.read(scope: nil, UserAdminRoutes.list))
    router.patch("/v1/admin/users/:userId", app.write(scope: nil, UserAdminRoutes.change))
    router.get("/v1/admin/audit", app.read(scope: nil, UserAdminRoutes.audit))

    router.get("/style.json", app.immediate(BasemapRoutes.style))
    router.get("/tiles.json", app.immediate(BasemapRoutes.description))
    router.get("/tiles/:z/:x/:y.mvt", app.immediate(BasemapRoutes.vectorTile))
    router.get("/tiles/:z/:x/:y", app.immediate(BasemapRoutes.imageTile))

    router.get("/health", app.immediate(OperationRoutes.health))
    router.get("/ready", app.immediate(OperationRoutes.ready))
    router.get("/metrics", app.immediate(OperationRoutes.metrics))
    router.get("/openapi.json", app.immediate(OperationRoutes.openAPI))
    router.get("/docs", app.immediate(WebRoutes.docs))
    router.get("/", app.immediate(WebRoutes.index))
    router.get("/p/:pinId", app.immediate(WebRoutes.index))
    router.get("/app/:version/*path", app.immediate(WebRoutes.file))
    router.get("/sw.js", app.immediate(WebRoutes.serviceWorker))
    router.get("/manifest.webmanifest", app.immediate(WebRoutes.manifest))
    return router
}
