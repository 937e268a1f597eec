import { readFileSync } from 'node:fs';
import { useZoneData } from '../domain/zones/database.js';

/**
 * Takes the time zones of a file, where one is set, in place of those that the service comes with: a law may change sooner than the
 * service is updated. Throws an error that names the file.
 */
export function takeZones(file: string | undefined): void {
  if (file === undefined) return;
  try {
    useZoneData(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`ZONES_FILE ${file} is no release of the time zones as moment-timezone packs it: ${why}`, {
      cause: error,
    });
  }
}
