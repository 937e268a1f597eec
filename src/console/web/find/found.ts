/** Something that can be opened. */
export interface Found {
  href: string;
  label: string;
  about: string;
  amount?: { value: string; currency: string };
}
