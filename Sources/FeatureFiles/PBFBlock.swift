/// A block of OpenStreetMap PBF: the texts and the scale of the groups in it.
struct PBFBlock {
    private(set) var groups: [ArraySlice<UInt8>] = []
    private var texts: [ArraySlice<UInt8>] = []
    private var granularity: Int64 = 100
    private var latitudeOffset: Int64 = 0
    private var longitudeOffset: Int64 = 0

    init(_ bytes: ArraySlice<UInt8>) throws(ProtocolBuffer.Fault) {
        var message = ProtocolBuffer(bytes)
        while let field = try message.next() {
            switch field.number {
            case 1:
                var table = ProtocolBuffer(try field.bytes())
                while let text = try table.next() {
                    if text.number == 1 { texts.append(try text.bytes()) }
                }
            case 2: groups.append(try field.bytes())
            case 17: granularity = Int64(truncatingIfNeeded: try field.integer())
            case 19: latitudeOffset = Int64(bitPattern: try field.integer())
            case 20: longitudeOffset = Int64(bitPattern: try field.integer())
            default: break
            }
        }
    }

    var textCount: Int { texts.count }

    func text(_ index: Int) -> String {
        String(decoding: texts[index], as: UTF8.self)
    }

    /// Units of 1e-9 degree; numbers that are too large become others, which are no degrees or wrong ones.
    func position(latitude: Int64, longitude: Int64) -> PlanarGeometry.Position {
        PlanarGeometry.Position(
            x: Double(longitudeOffset &+ granularity &* longitude) / 1e9,
            y: Double(latitudeOffset &+ granularity &* latitude) / 1e9)
    }
}

/// The nodes of a group.
enum PBFGroup {
    struct Node {
        var id: Int64
        var position: PlanarGeometry.Position
        /// Indices of texts that the block has.
        var tags: [(key: Int, value: Int)] = []
        var isVisible = true
    }

    static func nodes(
        of group: ArraySlice<UInt8>, in block: PBFBlock
    ) throws(ProtocolBuffer.Fault) -> (nodes: [Node], othersTagged: Int) {
        var nodes: [Node] = []
        var othersTagged = 0
        var message = ProtocolBuffer(group)
        while let field = try message.next() {
            switch field.number {
            case 1: nodes.append(try node(field.bytes(), block))
            case 2: try dense(field.bytes(), block, &nodes)
            case 3, 4: if try isTagged(field.bytes()) { othersTagged += 1 }
            default: break
            }
        }
        return (nodes, othersTagged)
    }

    private static func isTagged(_ bytes: ArraySlice<UInt8>) throws(ProtocolBuffer.Fault) -> Bool {
        var message = ProtocolBuffer(bytes)
        while let field = try message.next() {
            if field.number == 2 { return !(try field.bytes()).isEmpty }
        }
        return false
    }

    private static func index(_ value: UInt64, _ block: PBFBlock) throws(ProtocolBuffer.Fault) -> Int {
        guard value < UInt64(block.textCount) else { throw ProtocolBuffer.Fault(message: "a tag has no text") }
        return Int(value)
    }

    private static func node(_ bytes: ArraySlice<UInt8>, _ block: PBFBlock) throws(ProtocolBuffer.Fault) -> Node {
        var message = ProtocolBuffer(bytes)
        var (id, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
        var keys: [Int] = []
        var values: [Int] = []
        var isVisible = true
        while let field = try message.next() {
            switch field.number {
            case 1: id = ProtocolBuffer.signed(try field.integer())
            case 2, 3:
                var list = ProtocolBuffer(try field.bytes())
                while !list.isAtEnd {
                    let index = try index(list.varint(), block)
                    if field.number == 2 { keys.append(index) } else { values.append(index) }
                }
            case 4:
                var info = ProtocolBuffer(try field.bytes())
                while let part = try info.next() {
                    if part.number == 6 { isVisible = try part.integer() != 0 }
                }
            case 8: latitude = ProtocolBuffer.signed(try field.integer())
            case 9: longitude = ProtocolBuffer.signed(try field.integer())
            default: break
            }
        }
        guard keys.count == values.count else { throw ProtocolBuffer.malformed }
        return Node(
            id: id, position: block.position(latitude: latitude, longitude: longitude),
            tags: zip(keys, values).map { (key: $0, value: $1) }, isVisible: isVisible)
    }

    /// Nodes as columns, each number as the difference to the one before.
    private static func dense(
        _ bytes: ArraySlice<UInt8>, _ block: PBFBlock, _ nodes: inout [Node]
    ) throws(ProtocolBuffer.Fault) {
        var message = ProtocolBuffer(bytes)
        let none: ArraySlice<UInt8> = []
        var (ids, latitudes, longitudes, tags, visible) = (none, none, none, none, none)
        while let field = try message.next() {
            switch field.number {
            case 1: ids = try field.bytes()
            case 5:
                var info = ProtocolBuffer(try field.bytes())
                while let part = try info.next() {
                    if part.number == 6 { visible = try part.bytes() }
                }
            case 8: latitudes = try field.bytes()
            case 9: longitudes = try field.bytes()
            case 10: tags = try field.bytes()
            default: break
            }
        }
        var (idList, latitudeList, longitudeList) = (
            ProtocolBuffer(ids), ProtocolBuffer(latitudes), ProtocolBuffer(longitudes)
        )
        var (tagList, visibleList) = (ProtocolBuffer(tags), ProtocolBuffer(visible))
        var (id, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
        while !idList.isAtEnd {
            id &+= try idList.signed()
            latitude &+= try latitudeList.signed()
            longitude &+= try longitudeList.signed()
            var node = Node(id: id, position: block.position(latitude: latitude, longitude: longitude))
            // 0 ends the tags of each node; where none of a block has any, there is no list.
            while !tagList.isAtEnd {
                let key = try index(tagList.varint(), block)
                if key == 0 { break }
                node.tags.append((key, try index(tagList.varint(), block)))
            }
            if !visibleList.isAtEnd { node.isVisible = try visibleList.varint() != 0 }
            nodes.append(node)
        }
    }
}
