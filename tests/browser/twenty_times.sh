#!/usr/bin/env bash
# Run the journeys twenty times while two other processes keep the machine busy.  twenty_times.sh PYTHON
set -euo pipefail
busy=()
trap 'kill "${busy[@]}"' EXIT
for _ in 1 2; do
    while :; do :; done &
    busy+=($!)
done
for n in {1..20}; do
    echo "the journeys, time $n of 20"
    "$1" -m pytest -n 2 --dist worksteal -m journey tests/browser
done
