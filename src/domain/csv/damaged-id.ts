/** How a spreadsheet writes a long number: `1.20212E+17`, in some languages with a comma. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+\d{1,3}$/i;
/** It keeps 15 digits, and makes zeros of all that follow. */
const ROUNDED = /^\d{15}0+$/;

/** Whether an id was rounded by a spreadsheet, so that what it was is lost. */
export function isDamagedId(text: string): boolean {
  return SCIENTIFIC.test(text) || ROUNDED.test(text);
}

/** The rest of a sentence that begins with the id. */
export const DAMAGED_ID =
  'was rounded by a spreadsheet: take the file as it was downloaded, or import it there with this column as text; an id that really ends in such zeros is taken by the API';
