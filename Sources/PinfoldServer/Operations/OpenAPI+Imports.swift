extension OpenAPI {
    static let imports = Area(
        name: "Imports",
        description: """
            Landmark datasets come from files, again and again as these change. For admins and curators, and for API \
            tokens of theirs with the scope `import`; to everybody else these calls do not exist. An import is a job: \
            it compares each row with what the dataset holds, writes what differs where nobody sees it, and has the \
            dataset be the new version with one change. A job goes on after a restart of the server.
            """,
        operations: [
            Operation(
                .post, "/v1/admin/imports", "createImport", "Import a file",
                """
                The file is the body, up to 4 GiB, with the options in the query; or a form (`multipart/form-data`) \
                with the options as fields and the file as the field `file`. With `from` and no body it is the file of \
                an earlier import, which is kept for an hour after that has ended: try it with `dryRun`, then do it. \
                The content tells the format: GeoJSON (also features one a line), CSV and its relatives, KML, KMZ, GPX, \
                a shapefile in a ZIP archive, GeoPackage, OpenStreetMap XML and PBF; also compressed with zstd. A row \
                is known by `key`, else the feature's `id`, else the column `id`, else its name and position.
                """, work: .write, access: .scoped(.import),
                parameters: [
                    "IdempotencyKey", "importDataset", "importFrom", "importFileName", "importFileFormat", "importCRS",
                    "importMapping", "importKey", "importLayer", "importCategories", "importMode", "importStrict",
                    "importMaxRemoved", "importForce", "importDryRun", "importTitle", "importLicence",
                    "importAttribution", "importSourceURL", "importDescription",
                ],
                body: .file(
                    "ImportedDataset",
                    [
                        "application/octet-stream", "application/geo+json", "text/csv",
                        "application/geopackage+sqlite3", "application/zip", "multipart/form-data",
                    ]),
                answers: [.resource("ImportJob", "The import waits for its turn, or runs.", status: 202)]),
            Operation(
                .get, "/v1/admin/imports", "listImports", "List imports", "The newest first, without their `errors`.",
                work: .read, access: .scoped(.import), parameters: ["limit", "cursor"],
                answers: [.list("ImportJobItems", "A page of imports.")]),
            Operation(
                .get, "/v1/admin/imports/{importId}", "getImport", "Read how an import goes, or went", work: .read,
                access: .scoped(.import), parameters: ["IfNoneMatch"], answers: [.resource("ImportJob", "The import.")]),
            Operation(
                .get, "/v1/admin/imports/{importId}/errors", "listImportErrors", "List the rows that did not go in",
                "In the order of the file; the first 10,000 are kept.", work: .read, access: .scoped(.import),
                parameters: ["limit", "cursor"], answers: [.list("ImportErrorItems", "A page of rows.")]),
            Operation(
                .delete, "/v1/admin/imports/{importId}", "cancelImport", "Cancel an import",
                "It ends at once and the dataset stays as it was. What it has written, which nobody sees, is undone afterwards.",
                work: .write, access: .scoped(.import),
                answers: [.noContent("It ends, or has been cancelled already.")],
                conflicts: ["already-finished": "it has ended"]),
            Operation(
                .patch, "/v1/admin/datasets/{datasetId}", "changeDataset", "Change what is said of a dataset",
                work: .write, access: .scoped(.import), parameters: ["IfMatch"], body: .mergePatch("DatasetChange"),
                answers: [.resource("Dataset", "The dataset.")]),
            Operation(
                .delete, "/v1/admin/datasets/{datasetId}", "deleteDataset", "Delete a dataset",
                "With all its landmarks and versions, from this instant on.", work: .write, access: .scoped(.import),
                parameters: ["IfMatch"], answers: [.noContent("It is gone.")],
                conflicts: ["import-running": "an import of it waits or runs"]),
            Operation(
                .get, "/v1/admin/datasets/{datasetId}/versions", "listVersions", "List the versions of a dataset",
                "The newest first, which is the current one.", work: .read, access: .scoped(.import),
                parameters: ["limit", "cursor"], answers: [.list("DatasetVersionItems", "A page of versions.")]),
            Operation(
                .post, "/v1/admin/datasets/{datasetId}/versions/{versionNumber}/restore", "restoreVersion",
                "Restore a version of a dataset",
                "At once, as a new version; ids are what they were, and no version is lost.", work: .write,
                access: .scoped(.import), answers: [.resource("Dataset", "The dataset, as it is now.")],
                conflicts: ["import-running": "an import of it waits or runs"]),
        ],
        parameters: [
            "importId": pathParameter("importId", "The id of an import.", example: "1883093808054272001"),
            "versionNumber": #"""
            {
              "name": "versionNumber", "in": "path", "required": true, "description": "The number of a version.",
              "schema": {"type": "integer", "minimum": 1}, "example": 3
            }
            """#,
            "importDataset": query(
                "dataset",
                "The dataset's name: small letters, digits, `-`, `.` and `_`. One that is not there is made.",
                #""type": "string", "pattern": "^[a-z0-9_-][a-z0-9._-]{0,63}$""#, #""museums""#),
            "importFrom": query(
                "from", "The id of an earlier import whose file is taken.", #""type": "string""#,
                #""1883093808054272001""#),
            "importFileName": query(
                "fileName", "What the file is called, for the report.", #""type": "string", "maxLength": 200"#,
                #""museums.geojson""#),
            "importFileFormat": query(
                "format", "The format, if the content is not to tell it.",
                #""type": "string", "enum": ["geojson", "geojsonseq", "csv", "kml", "kmz", "gpx", "shapefile", "geopackage", "osm", "pbf"]"#,
                #""csv""#),
            "importCRS": query(
                "crs", "The reference system of the coordinates, if the file's own is missing or wrong.",
                #""type": "string""#, #""EPSG:2154""#),
            "importMapping": query(
                "mapping",
                "The column of each field that is not found by its name: a JSON object, or `field=column` between commas.",
                #""type": "string""#, #""name=NOM,latitude=Y,longitude=X""#),
            "importKey": query(
                "key", "The column that a row is known by.", #""type": "string", "maxLength": 200"#, #""ref""#),
            "importLayer": query(
                "layer", "The table or layer, where the file has several.", #""type": "string""#, #""museums""#),
            "importCategories": query(
                "categories", "Landmark categories by the source's own, ahead of the usual ones: as `mapping`.",
                #""type": "string""#, #""Kunsthalle=museum""#),
            "importMode": query(
                "mode", "Whether what the file does not have is removed.",
                #""type": "string", "enum": ["replace", "merge"], "default": "replace""#, #""merge""#),
            "importStrict": query(
                "strict", "A row that cannot be used fails the import.", #""type": "boolean", "default": false"#, "true"
            ),
            "importMaxRemoved": query(
                "maxRemoved", "The percentage of the dataset that may be removed; more fails, unless `force` is said.",
                #""type": "number", "minimum": 0, "maximum": 100, "default": 20"#, "50"),
            "importForce": query(
                "force", "Any number of landmarks may be removed, and positions at 0, 0 are meant.",
                #""type": "boolean", "default": false"#, "true"),
            "importDryRun": query(
                "dryRun", "Only say what the import would do.", #""type": "boolean", "default": false"#, "true"),
            "importTitle": query("title", "Of the dataset.", #""type": "string", "maxLength": 200"#, #""Museums""#),
            "importLicence": query(
                "licence", "Of the dataset.", #""type": "string", "maxLength": 200"#, #""CC BY 4.0""#),
            "importAttribution": query(
                "attribution", "Shown wherever the dataset's landmarks are.", #""type": "string", "maxLength": 500"#,
                #""© City of Saint Paul""#),
            "importSourceURL": query(
                "sourceURL", "Where the dataset comes from.", #""type": "string", "maxLength": 2000"#,
                #""https://data.example.org/museums""#),
            "importDescription": query(
                "description", "Of the dataset.", #""type": "string", "maxLength": 2000"#, #""All museums.""#),
        ],
        schemas: importSchemas)

    private static func query(_ name: String, _ description: String, _ schema: String, _ example: String) -> String {
        #"""
        {
          "name": "\#(name)", "in": "query", "description": "\#(description)",
          "schema": {\#(schema)}, "example": \#(example)
        }
        """#
    }
}
