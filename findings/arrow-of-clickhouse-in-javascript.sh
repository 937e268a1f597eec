#!/usr/bin/env bash
# Answers of ClickHouse with its default settings (npm: chdb 3.4.0, the engine 26.7.2) in the usual readers of JavaScript (apache-arrow 21.2.0,
# hyparquet 1.31.5).
# Expected: Arrow and Parquet are formats for exchange, so the defaults of both sides fit.
# Seen: neither can be read. ArrowStream is compressed, and apache-arrow has "codec not found"; Parquet is compressed with ZSTD, and hyparquet says
# "unsupported compression codec". Each needs a setting of the engine or a codec from another package.
# Why it matters: a client in JavaScript must be allowed to choose the compression of its answer; a list of allowed settings that holds
# only limits locks such clients out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 apache-arrow@21.2.0 hyparquet@1.31.5
cat >compare.cjs <<'JS'
const { queryAsync } = require('chdb');
const { tableFromIPC } = require('apache-arrow');
const bytes = async (format, settings = '') => (await queryAsync(`SELECT toDate('2026-03-01') AS day ${settings}`, { format })).bytes();
const outcome = async (read) => {
  try {
    return `${(await read()).length} row`;
  } catch ({ message }) {
    return message;
  }
};
(async () => {
  const { parquetReadObjects } = await import('hyparquet');
  const arrow = async (settings) => tableFromIPC(await bytes('ArrowStream', settings)).toArray();
  const parquet = async (settings) => parquetReadObjects({ file: new Uint8Array(await bytes('Parquet', settings)).buffer });
  const seen = [
    await outcome(() => arrow()),
    await outcome(() => arrow("SETTINGS output_format_arrow_compression_method = 'none'")),
    await outcome(() => parquet()),
    await outcome(() => parquet("SETTINGS output_format_parquet_compression_method = 'snappy'")),
  ];
  console.log(`Arrow: ${seen[0]}; without compression: ${seen[1]}. Parquet: ${seen[2]}; with Snappy: ${seen[3]}`);
  const [a, b, c, d] = seen;
  if (!/codec not found/.test(a) || !/ZSTD/.test(c) || b !== '1 row' || d !== '1 row') throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
