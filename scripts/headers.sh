#!/bin/sh
# Writes include/blosc2.h and include/b2nd.h anew from the sources.
set -eu
cd "$(dirname "$0")/.."
UPDATE_HEADERS=1 cargo test --quiet --test headers
