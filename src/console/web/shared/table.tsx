import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Column {
  heading: ComponentChildren;
  isNumber: boolean;
}

export const words = (...headings: ComponentChildren[]): Column[] =>
  headings.map((heading) => ({ heading, isNumber: false }));
export const numbers = (...headings: string[]): Column[] => headings.map((heading) => ({ heading, isNumber: true }));

interface Props {
  label: string;
  columns: Column[];
  isTall?: boolean;
  /** On a phone each row is a list of names and values, in place of a table that scrolls. */
  folds?: boolean;
  /** A row that stays in sight below the others. */
  foot?: ComponentChildren;
  children: ComponentChildren;
}

/** A table that scrolls in a box of its own where the page is too narrow; the children are its rows. */
export function Table(props: Props) {
  const ref = useRef<HTMLTableElement>(null);
  // The style sheet writes the name before the value. The first cell names the row, and needs none.
  useLayoutEffect(() => {
    if (props.folds !== true || ref.current === null) return;
    const names = Array.from(ref.current.tHead?.rows[0]?.cells ?? [], ({ textContent }) => textContent);
    for (const { cells } of ref.current.tBodies[0]?.rows ?? [])
      Array.from(cells, (cell, i) => i > 0 && (cell.dataset.name = names[i] ?? ''));
  });
  return (
    <div
      class={props.isTall === true ? 'scroll tall' : 'scroll'}
      tabIndex={0}
      role="region"
      aria-label={`${props.label}, table`}
    >
      <table ref={ref} class={props.folds === true ? 'folds' : undefined}>
        <thead>
          <tr>
            {props.columns.map(({ heading, isNumber }, i) => (
              <th key={i} scope="col" class={isNumber ? 'number' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
        {props.foot !== undefined && <tfoot>{props.foot}</tfoot>}
      </table>
    </div>
  );
}
