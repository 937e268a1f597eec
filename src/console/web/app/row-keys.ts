/** The links that open the rows of the tables in sight; those of a sheet alone while the focus is in it. */
function doors(): HTMLElement[] {
  const part = document.activeElement?.closest('[role=dialog]') ?? document.querySelector('main');
  const rows = [...(part?.querySelectorAll('tbody tr, .causes > li') ?? [])];
  return rows.flatMap((row) => {
    const door = row.querySelector('a, summary');
    return door instanceof HTMLElement && door.checkVisibility() ? [door] : [];
  });
}

/** Focuses what opens the row after, or before, the one that has the focus; Enter then opens it. */
export function moveRow(by: 1 | -1): void {
  const all = doors();
  const row = document.activeElement?.closest('tr, .causes > li') ?? null;
  const at = all.findIndex((door) => row?.contains(door));
  const next = at === -1 ? (by === 1 ? all[0] : all.at(-1)) : all[at + by];
  next?.focus();
}
