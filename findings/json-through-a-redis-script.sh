#!/usr/bin/env bash
# A job in JSON that passes through a script of Redis (Debian 12: redis-server 5:7.0.15-1~deb12u10), decoded and encoded by its cjson.
# Expected: the same JSON, as numbers up to 2^53 are exact in Lua and in JavaScript.
# Seen: cjson.encode writes 14 digits. A moment in microseconds, 1796005129123456, becomes 1.7960051291235e+15, some 44 microseconds later, and an id of
# 15 digits another id; a list without entries becomes an object. Commands are exact: ZADD and ZSCORE keep all 16 digits. A number that a script
# returns loses its decimals: 3.99 is 3.
# Why it matters: the version of an order is a moment in microseconds. The script that reserves a push (src/redis/scripts/queue-orders.lua) only
# compares numbers: what it writes are texts that it was given or stamps that it formats whole, and the JSON of the job is put together from them.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
for package in redis-server redis-tools; do apt-get download -qq "$package=5:7.0.15-1~deb12u10" 2>/dev/null; done
for file in *.deb; do dpkg -x "$file" .; done
socket="$folder/socket"
usr/bin/redis-server --port 0 --unixsocket "$socket" --save '' >/dev/null &
server=$!
cli() { usr/bin/redis-cli -s "$socket" "$@"; }
until [ "$(cli PING 2>/dev/null)" = PONG ]; do sleep 0.1; done
same() {
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo 'the behaviour has changed'; exit 1; }
}
again='return cjson.encode(cjson.decode(ARGV[1]))'
same 'a moment in microseconds' "$(cli EVAL "$again" 0 '{"version":1796005129123456}')" '{"version":1.7960051291235e+15}'
same 'an id of 15 digits' "$(cli EVAL "$again" 0 '{"id":120212345678901}')" '{"id":1.202123456789e+14}'
same 'no refunds' "$(cli EVAL "$again" 0 '{"refunds":[]}')" '{"refunds":{}}'
cli ZADD versions 1796005129123456 order >/dev/null
same 'a score' "$(cli ZSCORE versions order)" 1796005129123456
same 'a number that is returned' "$(cli EVAL 'return 3.99' 0)" 3
