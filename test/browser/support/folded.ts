import type { Page } from 'playwright-core';

const NAMES = `Array.from(document.querySelectorAll('.folds'), (table) =>
  table.scrollWidth > table.parentElement.clientWidth ? ['scrolls'] :
  Array.from(table.tBodies[0].rows[0].cells, (cell) => {
    const { content } = getComputedStyle(cell, '::before');
    return content === 'attr(data-name)' ? cell.dataset.name : JSON.parse(/^"/.test(content) ? content : '""');
  }).filter((name) => name !== ''))`;

/** Of each table that folds: the names that its first row has before the values, where it does not scroll. */
export const foldedNames = (page: Page): Promise<string[][]> => page.evaluate<string[][]>(NAMES);
