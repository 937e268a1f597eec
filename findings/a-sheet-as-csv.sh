#!/usr/bin/env bash
# A carrier's sheet of costs by order as CSV: xlsx 0.18.5 (SheetJS) beside exceljs 4.4.0 (npm), with one workbook.
# Expected: the values of its cells, as both give them for JSON.
# Seen: SheetJS writes what the cells show. A cost of 12.345 in a column of two decimals becomes 12.35, and two orders whose ids have twelve digits
# become one, 8.20983E+11; `rawNumbers: true` writes the values. exceljs writes the values. Reading a CSV, exceljs makes the number 7 of the
# SKU 007, and 100000 of the SKU 1E5.
# Why it matters: costs are matched by order and added up. The imports refuse ids that were rounded so, but a rounded amount looks like any other;
# the guide on costs says how to write such a file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent xlsx@0.18.5 exceljs@4.4.0
cat >sheet.cjs <<'JS'
const { Readable } = require('node:stream');
const ExcelJS = require('exceljs');
const XLSX = require('xlsx');
const same = (what, seen, before) => {
  console.log(`${what}: ${seen}`);
  if (String(seen) !== before) throw new Error('the behaviour has changed');
};
(async () => {
  const made = new ExcelJS.Workbook();
  const costs = made.addWorksheet('costs');
  costs.addRows([['order_id', 'cost'], [820982911946, 12.345], [820982911947, 7.5]]);
  costs.getColumn(2).numFmt = '0.00';
  const file = Buffer.from(await made.xlsx.writeBuffer());

  const read = XLSX.read(file).Sheets.costs;
  const lines = (csv) => csv.trim().split('\n').slice(1).join(' ');
  same('SheetJS, JSON', JSON.stringify(XLSX.utils.sheet_to_json(read)[0]), '{"order_id":820982911946,"cost":12.345}');
  same('SheetJS, CSV', lines(XLSX.utils.sheet_to_csv(read)), '8.20983E+11,12.35 8.20983E+11,7.50');
  same('SheetJS, CSV, rawNumbers', lines(XLSX.utils.sheet_to_csv(read, { rawNumbers: true })), '820982911946,12.345 820982911947,7.5');

  const again = new ExcelJS.Workbook();
  await again.xlsx.load(file);
  same('exceljs, CSV', lines(String(await again.csv.writeBuffer())), '820982911946,12.345 820982911947,7.5');
  const skus = await new ExcelJS.Workbook().csv.read(Readable.from(['007,1E5\n']));
  same('exceljs, SKUs of a CSV', skus.getRow(1).values.slice(1), '7,100000');
})();
JS
node sheet.cjs
