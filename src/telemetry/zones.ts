import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import { areZonesOld, zonesVersion } from '../domain/zones/database.js';
import type { Registry } from './registry.js';

/** Names the release of the time zones in the metrics and the log, and warns of one from which laws may have moved on. */
export function tellZones({ register, log, nowMs }: { register: Registry; log: Logger; nowMs: number }): void {
  const version = zonesVersion();
  new Gauge({
    name: 'profit_zones_info',
    help: 'Always 1; the label is the release of the time zones by which days are cut',
    labelNames: ['version'],
    registers: [register],
    aggregator: 'max',
  }).set({ version }, 1);
  log.info({ zones: version }, 'time zones');
  if (areZonesOld(nowMs))
    log.warn(
      { zones: version },
      'the time zones are older than a year: install a newer version, or set ZONES_FILE, else days may be cut by laws that changed',
    );
}
