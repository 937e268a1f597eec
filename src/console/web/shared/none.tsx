/** In place of a figure that there is none of; why, where the reader points. */
export function None({ why }: { why: string }) {
  return (
    <span class="soft" title={why}>
      –
    </span>
  );
}
