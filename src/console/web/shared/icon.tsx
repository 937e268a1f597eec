/** Drawn on 16 × 16; an icon never comes without a word. */
const PATHS = {
  overview: 'M2.5 13.5v-3M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11',
  orders: 'M3 2.5h10v11l-2-1.3-1.7 1.3-1.6-1.3L6 13.5l-1.4-1.3L3 13.5zM5.5 5.5h5M5.5 8.5h5',
  products: 'M8 1.8 13.5 5v6L8 14.2 2.5 11V5zM2.5 5 8 8.2 13.5 5M8 8.2v6',
  customers:
    'M6 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M1.5 13.5c.4-2.7 2.2-4 4.5-4s4.1 1.3 4.5 4M10.5 2.7a2.7 2.7 0 0 1 0 5M12.3 9.9c1.2.6 2 1.8 2.2 3.6',
  channels: 'M8 14V8.5L3.5 4M8 8.5 12.5 4M3.5 7V4h3M12.5 7V4h-3',
  changes: 'M2.5 8a5.5 5.5 0 1 0 1.8-4M2.5 2.5V5H5M8 5v3l2 1.5',
  connections: 'M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  settings:
    'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M6 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3',
  person: 'M8 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 14c.6-3 2.8-4.5 5.5-4.5s4.9 1.5 5.5 4.5',
  developers: 'm5 4.5-3 3.5 3 3.5M11 4.5l3 3.5-3 3.5',
  docs: 'M3 2.5h8.5A1.5 1.5 0 0 1 13 4v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13',
  theme:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  wait: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5V8l2.5 1.5',
  leave: 'M9.5 2.5h-6v11h6M6.5 8h7.5M11 5l3 3-3 3',
  down: 'm4 6 4 4 4-4',
  left: 'm10 3.5-4.5 4.5 4.5 4.5',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  close: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  share: 'M8 9.5v-7M5 5l3-3 3 3M3 8.5v5h10v-5',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 11v2.5h10V11',
  find: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.5 10.5l3 3',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  good: 'm3 8.5 3.2 3L13 4.5',
  about: 'M2.5 6.2c2-2 3.5-1.6 5.5-.6s3.5 1.4 5.5-.6M2.5 10.7c2-2 3.5-1.6 5.5-.6s3.5 1.4 5.5-.6',
  warn: 'M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.3v.2',
  bad: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  loss: 'M8 3v10M4 9l4 4 4-4',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
