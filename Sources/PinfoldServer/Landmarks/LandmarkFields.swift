import FeatureFiles
import SocialModel

/// What a column can tell of a landmark, by its name.
enum LandmarkField: String, CaseIterable, Sendable {
    case key, name, category, description, address, website, phone, openingHours, imageURL
    // What an address is put together from.
    case houseNumber, street, postcode, city, state, country
    /// A number by which a nameless landmark can be told from others.
    case reference
    /// OpenStreetMap's `wikipedia=en:Saint Paul`.
    case wikipedia

    /// Those that an import may give a column to.
    static let mappable: [LandmarkField] = [
        .key, .name, .category, .description, .address, .website, .phone, .openingHours, .imageURL,
    ]

    /// Names of columns, folded by `ColumnName`, the surest first.
    var columnNames: [String] {
        switch self {
        case .key: ["id", "uuid", "guid", "globalid", "osmid", "identifier", "landmarkid", "placeid", "siteid"]
        case .name:
            [
                "name", "title", "bezeichnung", "nombre", "nazwa", "nom", "nome", "titel", "titulo", "tytul", "titre",
                "naam",
                "namn", "navn", "nimi", "nazev", "nev", "название", "имя", "名称", "名前", "label", "placename", "sitename",
                "landmark", "landmarkname", "fullname", "officialname", "objektname", "standort", "denominacion",
                "denomination", "intitule", "shortname", "nameen", "altname",
            ]
        case .category:
            [
                "category", "kategorie", "categoria", "kategoria", "categorie", "landmarktype", "placetype", "poitype",
                "poiclass", "featuretype", "featurecla", "fclass", "featureclass", "type", "typ", "tipo", "rodzaj",
                "art",
                "kind", "class", "subclass", "klasse", "subcategory", "use", "usage",
            ]
        case .description:
            [
                "description", "desc", "beschreibung", "descripcion", "opis", "descrizione", "descricao", "beskrivning",
                "описание", "说明", "summary", "abstract", "details", "notes", "note", "comment", "comments", "remarks",
                "bemerkung", "bemerkungen", "observaciones", "uwagi", "remarques", "cmt", "inscription",
            ]
        case .address:
            [
                "address", "adresse", "direccion", "adres", "indirizzo", "endereco", "anschrift", "fulladdress",
                "addrfull",
                "addressfull", "streetaddress", "addresse", "domicilio", "addr", "адрес", "地址", "住所", "location",
            ]
        case .website:
            [
                "website", "contactwebsite", "url", "contacturl", "homepage", "webpage", "web", "webseite", "internet",
                "paginaweb", "sitioweb", "stronawww", "strona", "www", "siteweb", "sito", "link", "weblink", "uri",
                "officialwebsite",
            ]
        case .phone:
            [
                "phone", "contactphone", "telephone", "telefon", "telefono", "telefone", "tel", "phonenumber",
                "telephonenumber", "contactmobile", "mobile", "телефон", "电话",
            ]
        case .openingHours:
            [
                "openinghours", "hours", "opening", "oeffnungszeiten", "offnungszeiten", "horario", "horarios",
                "horaires",
                "godzinyotwarcia", "orari", "businesshours", "opentimes", "openingtimes",
            ]
        case .imageURL:
            [
                "imageurl", "image", "img", "imgurl", "photo", "photourl", "picture", "pictureurl", "bild", "bildurl",
                "foto",
                "fotourl", "imagen", "zdjecie", "thumbnail", "thumbnailurl",
            ]
        case .houseNumber: ["addrhousenumber", "housenumber", "hausnummer", "hausnr", "streetnumber", "numerdomu"]
        case .street:
            ["addrstreet", "street", "streetname", "strasse", "straße", "strassenname", "calle", "ulica", "rue", "via"]
        case .postcode:
            [
                "addrpostcode", "postcode", "postalcode", "zip", "zipcode", "plz", "postleitzahl", "codigopostal",
                "kodpocztowy", "codepostal", "cap",
            ]
        case .city:
            [
                "addrcity", "city", "town", "ort", "stadt", "ciudad", "miasto", "miejscowosc", "ville", "commune",
                "gemeinde",
                "municipality", "municipio", "citta", "locality", "addrplace", "addrtown", "addrvillage",
            ]
        case .state:
            ["addrstate", "addrprovince", "state", "province", "provincia", "bundesland", "wojewodztwo", "subd"]
        case .country: ["addrcountry", "country", "countrycode", "land", "pais", "kraj", "pays", "paese"]
        case .reference: ["ref", "number", "nummer", "numero", "numer", "reference", "code"]
        case .wikipedia: ["wikipedia"]
        }
    }

    /// What a column is taken for, and how sure that is: 0 the surest.
    static let byColumnName: [String: (field: LandmarkField, rank: Int)] = {
        var fields: [String: (LandmarkField, Int)] = [:]
        for field in allCases {
            for (rank, name) in field.columnNames.enumerated() {
                let folded = ColumnName.folded(name)
                if fields[folded] == nil { fields[folded] = (field, rank) }
            }
        }
        return fields
    }()

    /// The language of a column `name:de`, `name_de` or `NAME-DE`, as RFC 5646 has it.
    static func language(ofColumn name: String) -> String? {
        let lower = name.lowercased()
        guard lower.hasPrefix("name"), lower.utf8.count > 6, let separator = lower.dropFirst(4).first,
            ":_-".contains(separator)
        else { return nil }
        let parts = name.dropFirst(5).split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.lowercased() }
        guard let language = parts.first, languages.contains(language) else { return nil }
        switch parts.count {
        case 1: return language
        case 2 where parts[1].count == 4: return "\(language)-\(parts[1].prefix(1).uppercased())\(parts[1].dropFirst())"
        case 2 where parts[1].count == 2: return "\(language)-\(parts[1].uppercased())"
        default: return nil
        }
    }

    /// ISO 639-1, and codes of three letters in which names are often given.
    private static let languages = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es \
        et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj \
        kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv \
        ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th \
        ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
        arz ast ban bar ber bew ceb ckb csb dak dsb fil frp frr fur grc gsw haw hmn hsb hyw ilo jbo kab lad lkt lld lzh mhr min \
        mrj myv nah nan nap nds oji ota pcd pms pnb rue sah sat sco scn sma sme smj smn sms szl udm vec vls vro war wuu yue zgh
        """.split(separator: " ").map(String.init))
}
