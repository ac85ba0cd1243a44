import Foundation
import Testing
import WebDriver

/// What admins do in the web client, and what everybody sees of it.
@Suite struct AdminTests {
    private static let file = """
        A,B,C,D
        Old mill,44.9551,-93.1022,museum
        Clock tower,44.9561,-93.1042,monument
        Nowhere,here,there,museum
        """

    @Test func `an admin drops a file, tells its columns, sees it on a map, and everybody sees its landmarks`()
        async throws
    {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try app.appoint(ana, "admin")
            try window.open(app, as: ana, "/#map=14/44.9551/-93.1022")
            try window.waitForMap()
            try window.goToTab("admin")
            try window.element(.heading, words("admin.import"))
            try window.checkAccessibility("admin page")
            try window.drop(Self.file, named: "Old things.csv", on: ".drop-zone")
            try window.wait(for: "name of the dataset") {
                try window.element(.textbox, words("admin.dataset")).property("value") == "old-things" ? true : nil
            }
            let optional = " " + (try words("shell.form.optional"))
            try window.fill(words("admin.field.title") + optional, "Old things")
            try window.fill(words("admin.field.attribution") + optional, "© The Society of Old Things")
            try window.fill(words("admin.field.licence") + optional, "CC BY 4.0")
            try window.click(.button, words("admin.check"))

            // No column is called as a coordinate would be.
            try window.element(.heading, words("admin.reviewBad"))
            try window.checkAccessibility("import that cannot be")
            for (field, column) in [("name", "A"), ("latitude", "B"), ("longitude", "C"), ("category", "D")] {
                try window.select(column, in: "#admin-map-\(field)")
            }
            try window.click(.button, words("admin.checkAgain"))
            try window.element(.heading, words("admin.reviewGood"))
            try window.waitFor(text: words("admin.rejected", ["count": "1"], form: "one"))
            try window.wait(for: "the first rows on the map") {
                try window.run(
                    """
                    const map = document.querySelector(".preview-map").map;
                    return map?.loaded() && map.queryRenderedFeatures({layers: ["sample"]}).length;
                    """
                ).number == 2 ? true : nil
            }
            try window.checkAccessibility("import before it is done")
            try window.saveScreenshot("import")
            #expect(try app.send("GET", "/v1/landmarks")["items"]?.elements.count == 0, "nothing is there yet")

            try window.click(.button, words("admin.importNow"))
            try window.waitFor(text: words("admin.toDataset"))
            #expect(try app.send("GET", "/v1/landmarks")["items"]?.elements.count == 2)

            // On the map, in the list beside it, in the search box, with whose it is.
            try window.goToTab("map")
            try window.wait(for: "landmarks on the map") {
                try window.landmarksOnMap() == ["Clock tower", "Old mill"] ? true : nil
            }
            try window.waitFor(text: "© The Society of Old Things")
            try window.click(".landmark-list > summary")
            try window.waitFor(text: "Clock tower")
            try window.checkAccessibility("list of landmarks")
            let box = try window.element("#search")
            try box.type("old mi")
            try window.wait(
                for: "the landmark among the results",
                script: "return document.querySelector('#search-options .sign b')?.textContent === 'Old mill'")
            try window.click("#search-options .sign")
            try window.element(.heading, "Old mill")
            try window.waitFor(text: words("map.landmark.museum"))
            try window.waitFor(text: "CC BY 4.0")
            try window.checkAccessibility("sheet of a landmark")
            try window.saveScreenshot("landmark")
            try window.click(.button, words("map.dropHere"))
            try window.click(.button, words("map.form.drop"))
            try window.waitForPin("Old mill")

            // Whoever does not want them switches them off.
            try window.click("button[aria-controls=filter-panel]")
            try window.click("#landmarks-all")
            try window.wait(for: "a map without landmarks") { try window.landmarksOnMap().isEmpty ? true : nil }
        }
    }

    @Test func `a dataset is described anew, brought back to what it was, and deleted`() async throws {
        try await withWindow { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try app.appoint(ana, "curator")
            try ana.importLandmarks("name,latitude,longitude\nMill,44.9,-93.1\nTower,44.8,-93.2", as: "things")
            try ana.importLandmarks("name,latitude,longitude\nMill,44.9,-93.1\nBridge,44.7,-93", as: "things")
            try window.open(app, as: ana, "/#admin/datasets")
            try window.click("a[href='/#admin/datasets/things']")
            try window.fill(words("admin.field.title"), "Things of old")
            try window.click(.button, words("admin.save"))
            try window.waitFor(text: words("admin.saved"))
            #expect(try app.send("GET", "/v1/datasets/things")["title"] == "Things of old")
            try window.checkAccessibility("dataset")

            try window.click(.button, words("admin.restoreOf", ["number": "1"]))
            try window.click(.button, words("admin.restore"), in: window.element("dialog"))
            try window.waitFor(text: words("admin.restored", ["number": "1"]))
            func names() throws -> Set<String> {
                let items = try app.send("GET", "/v1/landmarks")["items"]?.elements ?? []
                return Set(items.compactMap { $0["name"]?.text })
            }
            #expect(try names() == ["Mill", "Tower"])
            try window.waitFor(text: words("admin.restores", ["number": "1"]))

            try window.click(.button, words("admin.delete"))
            let question = try window.element("dialog")
            try window.fill(words("admin.deleteTyped", ["name": "things"]), "thing", in: question)
            try window.click(.button, words("admin.delete"), in: question)
            try window.waitFor(text: words("admin.deleteWrong"))
            try window.fill(words("admin.deleteTyped", ["name": "things"]), "things", in: question)
            try window.click(.button, words("admin.delete"), in: question)
            try window.waitFor(text: words("admin.datasetsNone"))
            #expect(try names() == [])
            // Curators have nothing to do with users.
            #expect(try window.elements("a[href='/#admin/users']").isEmpty)
        }
    }

    @Test func `an admin gives a role and suspends, and the log has it`() async throws {
        try await withTwoWindows(WindowOptions(expectedErrors: ["401"])) { app, window, other in
            let words = try Words("en")
            let (ana, ben) = (try app.signUp("ana"), try app.signUp("ben"))
            try app.appoint(ana, "admin")
            try other.open(app, as: ben, "/#admin")
            try other.waitForMap()
            #expect(try other.elements("#tabs a[data-tab=admin]").isEmpty, "to others there is no such page")
            try window.open(app, as: ana, "/#admin/users")
            try window.fill(words("admin.usersFind"), "ben")
            try window.select("curator", in: "li[data-id='\(ben.id)'] select")
            try window.waitFor(text: words("admin.saved"))
            #expect(try ben.send("GET", "/v1/me")["role"] == "curator")
            try window.checkAccessibility("users")
            #expect(try window.elements(.button, words("shell.list.more")).isEmpty, "there are no more")
            try window.click(.button, words("admin.suspendOf", ["name": "@ben"]))
            try window.click(.button, words("admin.suspend"), in: window.element("dialog"))
            try window.element(.button, words("admin.unsuspendOf", ["name": "@ben"]))
            try other.element(.textbox, words("profile.login"))
            try window.click("a[href='/#admin/audit']")
            try window.waitFor(text: words("admin.action.userSuspend"))
            try window.checkAccessibility("audit log")
        }
    }

    @Test(arguments: ["en", "es", "pl"])
    func `the last admin is told why their account stays`(language: String) async throws {
        var options = WindowOptions(expectedErrors: ["409"])
        options.browser.language = language
        try await withWindow(options) { app, window in
            let words = try Words(language)
            let ana = try app.signUp("ana")
            _ = try app.signUp("ben")
            try app.appoint(ana, "admin")
            try window.open(app, as: ana, "/#profile/delete")
            try window.fill(words("profile.deleteConfirm"), "ana")
            try window.fill(words("profile.password"), ana.password)
            try window.click(.button, words("profile.delete"))
            try window.waitFor(text: words("profile.faultLastAdmin"))
            #expect(try ana.send("GET", "/v1/me")["username"]?.text == "ana")
        }
    }

    @Test func `the admin page has room on a small phone`() async throws {
        var options = WindowOptions()
        options.browser.width = 320
        options.browser.height = 640
        options.browser.isPhone = true
        try await withWindow(options) { app, window in
            let words = try Words("en")
            let ana = try app.signUp("ana")
            try app.appoint(ana, "admin")
            try ana.importLandmarks("name,latitude,longitude\nMill,44.9,-93.1", as: "things")
            try window.open(app, as: ana, "/#admin")
            for (section, text) in [
                ("import", try words("admin.file")), ("imports", "things"),
                ("datasets/things", try words("admin.current")), ("users", "@ana"), ("audit", "things"),
            ] {
                try window.run("location.hash = arguments[0]", .string("admin/\(section)"))
                try window.waitFor(text: text)
                #expect(try window.run("return document.querySelector('main').scrollWidth <= 320") == true)
                try window.checkAccessibility("\(section) on a phone")
            }
        }
    }
}

extension Browser {
    /// Lets go of a file over an element, as if it had been dragged there.
    fileprivate func drop(_ text: String, named name: String, on selector: String) throws {
        try element(selector)
        try run(
            """
            const [selector, name, text] = arguments;
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            for (const kind of ["dragenter", "dragover", "drop"]) {
              document.querySelector(selector).dispatchEvent(
                new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer}));
            }
            """, .string(selector), .string(name), .string(text))
    }

    /// Chooses an option by its value.
    fileprivate func select(_ value: String, in selector: String) throws {
        try element(selector)
        try run(
            """
            const select = document.querySelector(arguments[0]);
            select.value = arguments[1];
            select.dispatchEvent(new Event("change", {bubbles: true}));
            """, .string(selector), .string(value))
    }

    /// The names of the landmarks that the map draws now.
    fileprivate func landmarksOnMap() throws -> Set<String> {
        Set(
            try run(
                """
                const map = document.querySelector(".map-canvas").map;
                if (!map?.loaded() || !map.getLayer("landmarks-points")) return [];
                return map.queryRenderedFeatures({layers: ["landmarks-points"]}).map(({properties}) => properties.name);
                """
            ).elements.compactMap(\.text))
    }
}

extension Person {
    /// Imports a table as a dataset and waits until it is there.
    fileprivate func importLandmarks(_ table: String, as dataset: String) throws {
        let id = try sendText("/v1/admin/imports?dataset=\(dataset)&maxRemoved=100", table)["id"]?.text ?? ""
        for _ in 0..<500 {
            let job = try send("GET", "/v1/admin/imports/\(id)")
            switch job["state"]?.text {
            case "queued", "running": usleep(20_000)
            case "succeeded": return
            default: throw WebDriverError("the import ended otherwise: \(job)")
            }
        }
        throw WebDriverError("the import does not end")
    }
}
