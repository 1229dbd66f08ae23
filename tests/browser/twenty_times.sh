#!/usr/bin/env bash
# Run the journeys twenty-one times, three at a time, which keeps the machine busy.  twenty_times.sh PYTHON
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT
rounds() {
    for n in {1..7}; do
        echo "the journeys, time $n of 7 in stream $1"
        "$2" -m pytest -p no:cacheprovider --basetemp "$folder/$1" -m journey tests/browser
    done
}
for stream in 1 2 3; do
    rounds "$stream" "$1" &
    running+=($!)
done
for stream in "${running[@]}"; do
    wait "$stream"
done
