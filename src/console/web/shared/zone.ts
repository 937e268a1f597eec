/** A time zone as people call it: its city. */
export function zoneName(timezone: string | null): string {
  return (timezone ?? 'UTC').split('/').at(-1)?.replaceAll('_', ' ') ?? '';
}
