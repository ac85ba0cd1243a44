# Each target does its own set-up on Debian 12 with Swift on the PATH.

.DEFAULT_GOAL := help
.PHONY: help build run demo test lint format bench gazetteer clean

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
# Exact distances on the ellipsoid: geodesic.h.
BUILD_PACKAGES += libproj-dev
# Argon2id, BLAKE2b, randomness.
BUILD_PACKAGES += libsodium-dev
# The bundled gazetteer is compressed.
BUILD_PACKAGES += libzstd-dev
# Names of countries and subdivisions in 150 languages, read while it runs; where it is missing the bundled ones remain.
BUILD_PACKAGES += iso-codes
# GPX and KML files that are imported are read with it; its headers are found by pkg-config.
BUILD_PACKAGES += libxml2-dev pkg-config
# The ZIP file of an export: it takes files piece by piece, writes through functions of ours in flat memory, has ZIP64, and
# is there already because SpatiaLite needs it. libzip writes everything at its end, libarchive brings eight more libraries.
BUILD_PACKAGES += libminizip-dev zlib1g-dev

# Sends mail by SMTP with TLS, whose certificates are checked against Debian's list.
BUILD_PACKAGES += libcurl4-openssl-dev ca-certificates

# The README's first minutes are typed with it, and the tests type them too.
TEST_PACKAGES += curl
# ogrinfo reads the database, and exports of pins, as a stranger's GIS program would.
TEST_PACKAGES += gdal-bin
# An export is unpacked as its owner would do it.
TEST_PACKAGES += unzip

# The reference for hello-size requests, and the load.
BENCH_PACKAGES += nginx-light wrk
# The reference for pins: a server of the benchmark's own, and the library that talks to it.
BENCH_PACKAGES += postgresql-15 postgresql-15-postgis-3 libpq5
# The reference for live deliveries: a server of the benchmark's own.
BENCH_PACKAGES += redis-server
# The reference for positions: the nearest centre by scipy's k-d tree.
BENCH_PACKAGES += python3-scipy

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
	swift build -c release --static-swift-stdlib --product pinfold

run: build
	@if [ ! -e $(DATA)/pinfold.db ]; then $(BINARY) demo --data $(DATA); fi
	@exec $(BINARY) serve --data $(DATA)

demo: build
	@$(BINARY) demo --data $(DATA)

test:
	$(need_swift)
	$(call need,$(BUILD_PACKAGES) $(TEST_PACKAGES),test)
	swift build --build-tests
	swift test --skip-build

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

clean:
	rm -rf .build
