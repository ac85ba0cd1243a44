@testable import PinfoldServer

/// A file of each format as its program writes it, and what must come of it.
enum ImportSamples {
    static let geoJSON = #"""
        {"type": "FeatureCollection", "name": "favourites", "features": [
            {"type": "Feature", "id": "node/4711-a", "geometry": {"type": "Point", "coordinates": [20.5, 10.25, 300]},
             "properties": {"name": "Ramen", "description": "Long queue", "rating": 4, "category": "Food",
                "address": "Main Street 1", "createdAt": "2019-05-04T10:00:00Z", "marker-color": "#f00"}},
            {"type": "Feature", "id": 1, "geometry": {"type": "Point", "coordinates": [-93.1, 44.9]},
             "properties": {"title": "Capitol", "notes": "Dome", "type": "art museum"}},
            {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]},
             "properties": {"name": "Area"}},
            {"type": "Feature", "geometry": null, "properties": {"name": "Nowhere"}},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [181, 0]}, "properties": {"name": "Off"}},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 91]}, "properties": null},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"rating": 9}},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "a": 1, "a": 2},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": ["1", 2]}, "properties": {}},
            7
        ]}
        """#

    static let lines = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"name": "A"}}

        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [3, 4]}, "properties": {"name": "B"}
        \#u{1E}{"type": "Feature", "geometry": {"type": "Point", "coordinates": [5, 6]}, "properties": {"name": "C"}}
        """#

    static let mapstr = #"""
        {"type": "FeatureCollection", "features": [{"type": "Feature",
            "geometry": {"type": "Point", "coordinates": [2.3522, 48.8566]},
            "properties": {"name": "Chez Ana", "address": "1 rue X, Paris", "icon": "restaurant",
                "userComment": "Le plat du jour", "tags": [{"name": "Favoris", "color": "#FFF"}, {"name": "bar"}]}}]}
        """#

    /// As Google has written it since 2023, and before.
    static let takeout = #"""
        {"type": "FeatureCollection", "features": [
            {"geometry": {"coordinates": [-93.1022, 44.9551], "type": "Point"},
             "properties": {"date": "2023-07-01T12:30:00Z", "google_maps_url": "http://maps.google.com/?cid=123",
                "location": {"address": "75 Rev Dr, St Paul", "country_code": "US", "name": "State Capitol"}},
             "type": "Feature"},
            {"geometry": {"coordinates": [0, 0], "type": "Point"},
             "properties": {"date": "2022-01-01T00:00:00Z",
                "google_maps_url": "http://maps.google.com/?q=Somewhere&ftid=0x0:0x1",
                "Comment": "No location information is available for this saved place"},
             "type": "Feature"},
            {"geometry": {"coordinates": [0, 0], "type": "Point"},
             "properties": {"date": "2022-01-01T00:00:00Z", "google_maps_url": "http://maps.google.com/?q=48.5,2.25"},
             "type": "Feature"},
            {"geometry": {"coordinates": [0, 0], "type": "Point"}, "type": "Feature",
             "properties": {"Google Maps URL": "http://maps.google.com/?cid=9", "Published": "2018-03-09T10:11:12Z",
                "Location": {"Address": "Old Street 5", "Business Name": "Old Shop", "Country Code": "GB",
                    "Geo Coordinates": {"Latitude": "51.5254", "Longitude": "-0.0871"}},
                "Title": "The Old Shop", "Updated": "2018-03-09T10:11:12Z"}}
        ]}
        """#

    static let reviews = #"""
        {"type": "FeatureCollection", "features": [
            {"geometry": {"coordinates": [13.4, 52.5], "type": "Point"},
             "properties": {"date": "2021-02-03T04:05:06.789Z", "five_star_rating_published": 5,
                "google_maps_url": "http://maps.google.com/?cid=77", "questions": [{"question": "Parking"}],
                "location": {"name": "Café Süd", "address": "Straße 1", "country_code": "DE"},
                "review_text_published": "Wunderbar"}, "type": "Feature"}]}
        """#

    /// Line breaks as in the export; a description stands before the header.
    static let takeoutList = #"""
        Orte für den Sommer

        Titel,Notiz,URL,Tags,Kommentar
        ,,,,
        Gesetzte Markierung,Klettergebiet,"https://www.google.com/maps/search/51.3379107,12.3724663",,
        "Chez Paul, Lyon",,https://www.google.com/maps/place/Chez+Paul/data=!4m2!3d45.7640!4d4.8357,,Le meilleur
        Café,,"https://www.google.com/maps/place/Caf%C3%A9/@48.1,11.5,17z",,
        Irgendwo,"Mit ""Zeichen""",https://www.google.com/maps/place/Irgendwo/data=!4m2!3m1!1s0x1:0x2,,
        """#

    static let swarm = #"""
        {"count": 4, "items": [
            {"id": "c1", "createdAt": "2020-01-02 10:00:00.000000", "type": "checkin", "timeZoneOffset": 120,
             "venue": {"id": "v1", "name": "Cafe", "url": "https://foursquare.com/v/v1"}, "lat": 52.37, "lng": 4.89,
             "shout": "Again", "comments": {"count": 0}},
            {"id": "c2", "createdAt": "2020-01-01 10:00:00.000000", "type": "checkin", "timeZoneOffset": 120,
             "venue": {"id": "v1", "name": "Cafe"}, "lat": 52.38, "lng": 4.8, "shout": "First"},
            {"id": "c3", "createdAt": "2021-01-01 10:00:00.000000", "type": "checkin", "venue": null, "lat": 1, "lng": 2},
            {"id": "c4", "createdAt": "2021-01-01 10:00:00.000000", "type": "checkin",
             "venue": {"id": "v2", "name": "Bridge"}}
        ]}
        """#

    /// As the API answers.
    static let swarmAPI = #"""
        {"meta": {"code": 200}, "response": {"checkins": {"count": 1, "items": [
            {"id": "c1", "createdAt": 1577872800, "type": "checkin", "venue": {"id": "v1", "name": "Sightglass",
             "location": {"address": "270 7th St", "lat": 37.777, "lng": -122.4085, "cc": "US"},
             "categories": [{"id": "4b", "name": "Coffee Shop", "primary": true}]}}]}}}
        """#

    static let gpx = #"""
        <?xml version="1.0" encoding="UTF-8" standalone="no" ?>
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="handheld"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
          <metadata><name>Trip</name><time>2020-01-01T00:00:00Z</time></metadata>
          <wpt lat="44.9551" lon="-93.1022">
            <ele>250.1</ele><time>2019-06-01T08:00:00Z</time><name>Capitol &amp; park</name>
            <cmt>By the steps</cmt><desc><![CDATA[Nice <b>view</b>]]></desc>
            <link href="https://example.org/capitol"><text>Site</text></link><sym>Park</sym><type>Museum</type>
            <extensions><gpxx:WaypointExtension><gpxx:name>inner</gpxx:name></gpxx:WaypointExtension></extensions>
          </wpt>
          <wpt lat="91" lon="0"><name>Off</name></wpt>
          <wpt lat="x" lon="0"/>
          <trk><name>Walk</name><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>
        </gpx>
        """#

    static let kml = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
          <name>My places</name><Style id="s"><IconStyle/></Style>
          <Folder><name>Nature</name>
            <Placemark id="placemark-0001"><name>Lake</name>
              <description><![CDATA[<p>Clear <i>water</i></p>Swim &amp; rest<br/>Fish &#233;]]></description>
              <TimeStamp><when>2018-07-01</when></TimeStamp>
              <ExtendedData><Data name="Rating"><value>5</value></Data><Data name="wind"><value>x</value></Data></ExtendedData>
              <Point><coordinates>
                20.5,10.25,0
              </coordinates></Point></Placemark>
            <Placemark><name>Way</name><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
          </Folder>
          <Placemark><address>1 Main Street</address></Placemark>
          <Placemark><name>Both</name><MultiGeometry><Point><coordinates>1,2</coordinates></Point>
            <Polygon><outerBoundaryIs/></Polygon></MultiGeometry></Placemark>
          <Placemark><name>Bad</name><Point><coordinates>1 2</coordinates></Point></Placemark>
        </Document></kml>
        """#

    static let csv = #"""
        Name;Lat;Lng;Notes;Stars;Category;Created
        "Ramen; the good one";10,5;20,25;"Two
        lines";5;restaurant;2019-05-04 10:00:00
        Far;95;0;;;;
        Odd;1;x;;;;
        Rated;1;2;;six;;

        Blank;;;;;;
        """#

    /// As this service exports it.
    static let ownCSV = #"""
        id,name,latitude,longitude,address,addressSource,comment,rating,category,audience,createdAt,updatedAt,externalId
        1883193842073600000, x ,10.5,20.25,"Here, there",gazetteer,"a ""b""",3,food,friends,2019-05-04T10:00:00.000Z,2019-05-04T10:00:00.000Z,ext-1
        """#

    static let all = [
        geoJSON, lines, mapstr, takeout, reviews, takeoutList, swarm, swarmAPI, gpx, kml, csv, ownCSV,
    ]
}
