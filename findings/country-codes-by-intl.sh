#!/usr/bin/env bash
# Names of country codes by the runtime's Intl.DisplayNames (Node 20 and later) beside ISO 3166 (npm: i18n-iso-countries 7.14.0).
# Expected: a code that ISO 3166-1 does not have gets no name, at least with `fallback: 'none'`, so the call tells a real code from a made-up one.
# Seen: codes that were withdrawn have the name of a country of today (SU Russia, DD Germany, YU and CS Serbia, AN Curaçao), and so have aliases
# (UK, FX, VD); EU, IC, QO and ZZ have names too. EL, by which the European Union's VAT numbers say Greece, has none.
# Why it matters: two codes become two rows with one name in a report by country ("United Kingdom" of GB and of UK), and what came to the
# Netherlands Antilles is shown as Curaçao. The list of the standard decides which codes are taken; Intl only names them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent i18n-iso-countries@7.14.0
cat >names.cjs <<'JS'
const { isValid } = require('i18n-iso-countries');
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const codes = ['GB', 'UK', 'FX', 'SU', 'DD', 'YU', 'CS', 'AN', 'EU', 'ZZ', 'EL', 'QQ'];
for (const code of codes) console.log(code, names.of(code), isValid(code) ? 'in ISO 3166-1' : 'not in it');
const named = codes.filter((code) => names.of(code) !== undefined);
if (named.join() !== 'GB,UK,FX,SU,DD,YU,CS,AN,EU,ZZ' || names.of('UK') !== names.of('GB') || names.of('YU') !== names.of('CS') || codes.filter((code) => isValid(code)).join() !== 'GB') throw new Error('the behaviour has changed');
JS
node names.cjs
