"""Cuts features into the tiles of a Web Mercator pyramid and writes them as MBTiles 1.3 of Mapbox Vector Tiles 2.1.

Geometries are in the unit square of Web Mercator: x from west to east, y from north to south, 0 to 1.
"""

import gzip
import math
import sqlite3

import numpy
from shapely.affinity import translate
from shapely.geometry import LineString, MultiLineString, Point, Polygon, box
from shapely.geometry.polygon import orient
from shapely.ops import clip_by_rect, transform, unary_union

EXTENT = 4096
# How far a tile goes beyond its edges, in its own units: 8 pixels of the 512 that it is drawn with.
BUFFER = 64
MOST_NORTHERN = 85.051128779806604


def mercator(longitudes, latitudes):
    """Degrees to the unit square (EPSG 9.7-2, 3.2.1.2, popular visualisation)."""
    latitudes = numpy.radians(numpy.clip(latitudes, -MOST_NORTHERN, MOST_NORTHERN))
    x = (numpy.asarray(longitudes) + 180) / 360
    return x, (1 - numpy.log(numpy.tan(latitudes) + 1 / numpy.cos(latitudes)) / math.pi) / 2


def projected(geometry):
    """A geometry of degrees in the unit square."""
    return transform(lambda x, y, z=None: mercator(numpy.asarray(x), numpy.asarray(y)), geometry)


def parts(geometry, kind):
    """The simple geometries of a kind that a geometry consists of."""
    if geometry.is_empty:
        return []
    if isinstance(geometry, kind):
        return [geometry]
    return [part for child in getattr(geometry, "geoms", []) for part in parts(child, kind)]


class Feature:
    """Something of a layer: its geometry and its properties, without those that are None or empty."""

    def __init__(self, geometry, **properties):
        self.geometry = geometry
        self.bounds = geometry.bounds
        self.properties = {name: value for name, value in properties.items() if value not in (None, "")}

    def with_geometry(self, geometry):
        copy = Feature(geometry)
        copy.properties = self.properties
        return copy


class Layer:
    """The features of a name at one zoom. Those without properties are `holes`, the land in a sea: if `outside` has
    properties, what of a tile is in no hole is a feature with them."""

    def __init__(self, name, features, outside=None):
        self.name = name
        self.outside = outside
        self.areas = [feature for feature in features if not isinstance(feature.geometry, Point)]
        self.points = [feature for feature in features if isinstance(feature.geometry, Point)]

    def points_by_tile(self, zoom):
        """Each point in one tile alone; the eastern edge of the world is in the last."""
        found, last = {}, 2**zoom - 1
        for feature in self.points:
            x, y = (min(last, int(c * 2**zoom)) for c in feature.bounds[:2])
            found.setdefault((x, y), []).append(feature)
        return found


def wrapped(features, margin):
    """The features, and those near the antimeridian once more beyond the other edge, so that edges meet there."""
    for feature in features:
        yield feature
        west, _, east, _ = feature.bounds
        for shift, is_near in ((1, west < margin), (-1, east > 1 - margin)):
            if is_near:
                yield feature.with_geometry(translate(feature.geometry, shift))


def clipped(features, bounds):
    west, north, east, south = bounds
    for feature in features:
        left, top, right, bottom = feature.bounds
        if right < west or left > east or bottom < north or top > south:
            continue
        if left < west or top < north or right > east or bottom > south:
            geometry = clip_by_rect(feature.geometry, west, north, east, south)
            if geometry.is_empty:
                continue
            feature = feature.with_geometry(geometry)
        yield feature


def tiles(zoom, layers):
    """Each tile of a zoom that has anything, as (x, y, bytes of the vector tile)."""
    margin = BUFFER / EXTENT / 2**zoom
    points = [layer.points_by_tile(zoom) for layer in layers]

    def descend(level, x, y, content):
        size = 1 / 2**level
        bounds = (x * size - margin, y * size - margin, (x + 1) * size + margin, (y + 1) * size + margin)
        content = [list(clipped(features, bounds)) for features in content]
        if level == zoom:
            content = [features + index.get((x, y), []) for features, index in zip(content, points)]
            encoded = encode(zoom, x, y, bounds, zip(layers, content))
            if encoded:
                yield x, y, encoded
            return
        for row in (0, 1):
            for column in (0, 1):
                yield from descend(level + 1, 2 * x + column, 2 * y + row, content)

    yield from descend(0, 0, 0, [list(wrapped(layer.areas, margin)) for layer in layers])


# ---- Mapbox Vector Tile 2.1


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def packed(numbers):
    return b"".join(map(varint, numbers))


def value(content):
    if isinstance(content, str):
        return field(1, content.encode())
    if isinstance(content, bool):
        return varint(7 << 3) + varint(int(content))
    return varint(5 << 3) + varint(content) if content >= 0 else varint(6 << 3) + varint(content << 1 ^ content >> 63)


class Pen:
    """Turns points of the unit square into the commands of a geometry (4.3 of the specification)."""

    def __init__(self, zoom, x, y):
        self.scale = EXTENT * 2**zoom
        self.x, self.y = x * EXTENT, y * EXTENT
        self.commands = []
        self.at = (0, 0)

    def points(self, coordinates, closed=False):
        """Whole units of the tile, without repetitions."""
        found = []
        for x, y in coordinates:
            point = (round(x * self.scale) - self.x, round(y * self.scale) - self.y)
            if not found or point != found[-1]:
                found.append(point)
        if closed and len(found) > 1 and found[0] == found[-1]:
            found.pop()
        return found

    def draw(self, points, closed=False):
        def steps(part):
            for point in part:
                for delta in (point[0] - self.at[0], point[1] - self.at[1]):
                    self.commands.append(delta << 1 ^ delta >> 31)
                self.at = point

        self.commands.append(1 << 3 | 1)
        steps(points[:1])
        if len(points) > 1:
            self.commands.append(len(points) - 1 << 3 | 2)
            steps(points[1:])
        if closed:
            self.commands.append(1 << 3 | 7)


def sound(polygon, pen):
    """The polygons that a polygon becomes in whole units, valid ones as far as rounding lets them be."""
    outer = pen.points(polygon.exterior.coords, closed=True)
    inner = [pen.points(ring.coords, closed=True) for ring in polygon.interiors]
    if len(outer) < 3:
        return []
    whole = Polygon(outer, [ring for ring in inner if len(ring) >= 3])
    if not whole.is_valid:
        whole = whole.buffer(0)
    return [part for part in parts(whole, Polygon) if part.area >= 1]


def commands(feature, zoom, x, y):
    """The type and commands of a feature's geometry; no commands if nothing of it is left."""
    pen = Pen(zoom, x, y)
    geometry = feature.geometry
    if isinstance(geometry, Point):
        for point in pen.points(geometry.coords):
            pen.draw([point])
        return 1, pen.commands
    if isinstance(geometry, (LineString, MultiLineString)) or parts(geometry, LineString):
        for line in parts(geometry, LineString):
            points = pen.points(line.coords)
            if len(points) > 1:
                pen.draw(points)
        return 2, pen.commands
    for polygon in parts(geometry, Polygon):
        for part in sound(polygon, pen):
            # Exterior rings run clockwise where y grows downwards.
            part = orient(part, 1)
            for ring in (part.exterior, *part.interiors):
                points = [(int(round(a)), int(round(b))) for a, b in ring.coords][:-1]
                points = [point for index, point in enumerate(points) if point != points[index - 1]]
                if len(points) >= 3:
                    pen.draw(points, closed=True)
    return 3, pen.commands


def encode(zoom, x, y, bounds, content):
    tile = b""
    for layer, features in content:
        if layer.outside:
            land = unary_union([feature.geometry for feature in features if not feature.properties])
            sea = Feature(box(*bounds).difference(land), **layer.outside)
            features = [sea] + [feature for feature in features if feature.properties]
            features = [feature for feature in features if not feature.geometry.is_empty]
        keys, values, encoded = {}, {}, []
        for feature in features:
            kind, geometry = commands(feature, zoom, x, y)
            if not geometry:
                continue
            tags = []
            for name, text in feature.properties.items():
                tags.append(keys.setdefault(name, len(keys)))
                tags.append(values.setdefault((type(text), text), len(values)))
            encoded.append(
                field(2, field(2, packed(tags)) + varint(3 << 3) + varint(kind) + field(4, packed(geometry))))
        if encoded:
            body = varint(15 << 3) + varint(2) + field(1, layer.name.encode()) + b"".join(encoded)
            body += b"".join(field(3, name.encode()) for name in keys)
            body += b"".join(field(4, value(text)) for _, text in values)
            tile += field(3, body + varint(5 << 3) + varint(EXTENT))
    return tile


# ---- MBTiles 1.3


def write(path, metadata, pyramid):
    """Writes a file of all tiles, (zoom, x, y, bytes), compressed with gzip. The same input gives the same bytes.

    Returns, by zoom, the size and the numbers of each tile.
    """
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript(
        """
        PRAGMA page_size = 4096;
        PRAGMA application_id = 0x4d504258;
        CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE tiles (
            zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
            tile_data BLOB NOT NULL);
        """)
    database.executemany("INSERT INTO metadata VALUES (?, ?)", sorted(metadata.items()))
    sizes = {}
    for zoom, x, y, content in pyramid:
        compressed = gzip.compress(content, 9, mtime=0)
        # Rows count from the south.
        database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (zoom, x, 2**zoom - 1 - y, compressed))
        sizes.setdefault(zoom, []).append((len(compressed), x, y))
    database.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
    database.commit()
    database.execute("VACUUM")
    database.close()
    return sizes
