/** In place of a figure that there is none of; why, where the reader points. */
export function NoValue({ why }: { why: string }) {
  return (
    <span class="soft" title={why}>
      –
    </span>
  );
}
