import type { ComponentChildren } from 'preact';

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
  /** A row that stays in sight below the others. */
  foot?: ComponentChildren;
  children: ComponentChildren;
}

/** A table that scrolls in a box of its own where the page is too narrow; the children are its rows. */
export function Table(props: Props) {
  return (
    <div
      class={props.isTall === true ? 'scroll tall' : 'scroll'}
      tabIndex={0}
      role="region"
      aria-label={`${props.label}, table`}
    >
      <table>
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
