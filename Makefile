# Each target does its own set-up on Debian 12 with Swift on the PATH.

.DEFAULT_GOAL := help
.PHONY: help build run demo test lint format bench gazetteer basemap clean

# ---- What is needed from Debian, and why

# Swift's own compiler and linker need a C library, headers and binutils.
BUILD_PACKAGES += binutils libc6-dev libstdc++-12-dev
# HTTP/1.1, hardened by Sources/HTTP.
BUILD_PACKAGES += libmicrohttpd-dev
# Reads the frames of WebSockets; zlib compresses them (permessage-deflate).
BUILD_PACKAGES += libwslay-dev zlib1g-dev
# The database.
BUILD_PACKAGES += libsqlite3-dev
# Makes its tables layers that GIS programs open.
BUILD_PACKAGES += libspatialite-dev
# Exact distances on the ellipsoid: geodesic.h. Positions of other reference systems to WGS 84: proj.h, with the tables of
# proj-data.
BUILD_PACKAGES += libproj-dev proj-data
# Argon2id, BLAKE2b, randomness.
BUILD_PACKAGES += libsodium-dev
# The bundled gazetteer is compressed.
BUILD_PACKAGES += libzstd-dev
# Names of countries and subdivisions in 150 languages, read while it runs; where it is missing the bundled ones remain.
BUILD_PACKAGES += iso-codes
# GPX, KML and OpenStreetMap XML that is imported is read with it; its headers are found by pkg-config.
BUILD_PACKAGES += libxml2-dev pkg-config
# The ZIP file of an export: it takes files piece by piece, writes through functions of ours in flat memory, has ZIP64, and
# is there already because SpatiaLite needs it. libzip writes everything at its end, libarchive brings eight more libraries.
BUILD_PACKAGES += libminizip-dev zlib1g-dev
# Fetch the map library of the web client, below.
BUILD_PACKAGES += python3 python3-pip

# Sends mail by SMTP with TLS, whose certificates are checked against Debian's list.
BUILD_PACKAGES += libcurl4-openssl-dev ca-certificates

# The README's first minutes are typed with it, and the tests type them too.
TEST_PACKAGES += curl
# ogrinfo reads the database, and exports of pins, as a stranger's GIS program would; ogr2ogr and gdaltransform make the
# files that are imported, and positions of other reference systems.
TEST_PACKAGES += gdal-bin
# Makes OpenStreetMap PBF.
TEST_PACKAGES += osmium-tool
# An export is unpacked as its owner would do it.
TEST_PACKAGES += unzip
# The web client is used in a real browser, which chromedriver remote-controls.
TEST_PACKAGES += chromium chromium-driver
# Letters for the map and for people's names in all scripts: without any font a browser shows, and measures, nothing.
TEST_PACKAGES += fonts-dejavu-core fonts-noto-core

# The reference for hello-size requests, and the load.
BENCH_PACKAGES += nginx-light wrk
# The reference for pins: a server of the benchmark's own, and the library that talks to it.
BENCH_PACKAGES += postgresql-15 postgresql-15-postgis-3 libpq5
# The reference for live deliveries: a server of the benchmark's own.
BENCH_PACKAGES += redis-server
# The reference for positions: the nearest centre by scipy's k-d tree.
BENCH_PACKAGES += python3-scipy
# The reference for imports: ogr2ogr makes a SpatiaLite file of what is imported.
BENCH_PACKAGES += gdal-bin
# The browser in which the web client is measured, and its letters.
BENCH_PACKAGES += chromium chromium-driver fonts-dejavu-core fonts-noto-core

# Installs what is missing of $(1): as root or with sudo, else says what to install. $(2) says what for.
define need
@missing=; for package in $(1); do \
    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
    if [ "$$(id -u)" = 0 ]; then as=; \
    elif sudo -n true 2>/dev/null; then as=sudo; \
    else echo "pinfold: to $(2), install:$$missing" >&2; exit 1; fi; \
    echo "Installing to $(2):$$missing"; \
    $$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        $$as apt-get install -y -qq --no-install-recommends $$missing >/dev/null || \
        { echo "pinfold: could not install:$$missing" >&2; exit 1; }; \
fi
endef

define need_swift
@command -v swift >/dev/null || { echo "pinfold: put Swift 6 on the PATH" >&2; exit 1; }
endef

# ---- What the web client draws maps with

# MapLibre GL JS 5.24.0, under the 3-clause BSD licence, which its first lines name. A wheel of PyPI carries it (there is
# no package of it in Debian); pip checks the wheel, sha256sum the two files taken out of it. Nothing of it is run here.
MAPLIBRE_WHEEL := roadstyle==0.25.0 \
    --hash=sha256:26940d75acdc08e445251aac5f273375237c17913f1eb9c8cc25a7749317fed3
MAPLIBRE_JS := 45a9b07a9189ce56054c620a947ccf41e291e58c95e9b61533b740aaa65ee5cb
MAPLIBRE_CSS := ab1e70d59ec40465bae7e7030da2f3ccf28133fd502e62bd598eefbadfd7a732
# Where it stands, both files are there and sound.
MAPLIBRE := .build/web/maplibre-gl-5.24.0.sha256

$(MAPLIBRE):
	@echo "Fetching MapLibre GL JS 5.24.0"
	@rm -rf $(@D) && mkdir -p $(@D)/wheel
	@echo "$(MAPLIBRE_WHEEL)" >$(@D)/wheel/requirements.txt
	@python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
	    --only-binary :all: --platform manylinux2014_x86_64 --python-version 3.11 \
	    --dest $(@D)/wheel --requirement $(@D)/wheel/requirements.txt
	@cd $(@D)/wheel && python3 -m zipfile -e *.whl .
	@cd $(@D)/wheel/roadstyle/vendor && \
	    printf '%s\n' "$(MAPLIBRE_JS)  maplibre-gl.js" "$(MAPLIBRE_CSS)  maplibre-gl.css" >$(@F) && \
	    sha256sum --check --quiet $(@F) && mv maplibre-gl.js maplibre-gl.css $(@F) ../../..
	@rm -r $(@D)/wheel

BINARY := .build/release/pinfold
DATA ?= var

help:
	@echo "make run     serve on http://127.0.0.1:8080, with demo data on first use"
	@echo "make test    build and run all tests"
	@echo "make build   the release binary, $(BINARY)"
	@echo "make lint    check the format;  make format  mend it"
	@echo "make bench   measure against references [ONLY=NAME] [SIZE=PINS] [SAMPLES=N]"
	@echo "make demo    only fill ./$(DATA) with the demo and print its logins"

build:
	$(need_swift)
	$(call need,$(BUILD_PACKAGES),build)
	@$(MAKE) --no-print-directory $(MAPLIBRE)
	swift build -c release --static-swift-stdlib --product pinfold

run: build
	@if [ ! -e $(DATA)/pinfold.db ]; then $(BINARY) demo --data $(DATA); fi
	@exec $(BINARY) serve --data $(DATA)

demo: build
	@$(BINARY) demo --data $(DATA)

# Browsers come after the rest: beside all other tests they would have to draw their pages in no time. What fails is said
# once more at the end.
run_tests = @echo "swift test --skip-build $(1)"; \
    { swift test --skip-build $(1) 2>&1 || echo $$? >.build/tests.failed; } | tee .build/tests.log; \
    if [ -e .build/tests.failed ]; then \
        rm .build/tests.failed; printf '\nFailed:\n'; grep '✘' .build/tests.log | sort -u; exit 1; \
    fi

test:
	$(need_swift)
	$(call need,$(BUILD_PACKAGES) $(TEST_PACKAGES),test)
	@$(MAKE) --no-print-directory $(MAPLIBRE)
	swift build --build-tests
	$(call run_tests,--skip WebTests)
	$(call run_tests,--filter WebTests)

lint:
	$(need_swift)
	swift format lint --strict --parallel --recursive Package.swift Sources Tests

format:
	$(need_swift)
	swift format --in-place --parallel --recursive Package.swift Sources Tests

bench: build
	$(call need,$(BENCH_PACKAGES),measure)
	@$(BINARY) bench $(if $(ONLY),--only $(ONLY)) $(if $(SIZE),--size $(SIZE)) \
	    $(if $(SAMPLES),--samples $(SAMPLES)) --output .build/bench

# Rebuilds the bundled gazetteer and borders from their published sources; see data/README.md.
gazetteer:
	$(call need,python3 python3-pip python3-numpy python3-shapely zstd,rebuild the gazetteer)
	data/build

# Rebuilds the bundled map of the world from its published sources; see tiles/README.md.
basemap:
	$(call need,python3 python3-pip python3-numpy python3-shapely python3-gdal zstd,rebuild the map)
	tiles/build

clean:
	rm -rf .build
