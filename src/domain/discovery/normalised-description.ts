const OPENING_MARKS = /^["'`*_([{]+/
const CLOSING_MARKS = /["'`*_()[\]{}.,;:!?…]+$/
const DASHES = /^[-–—•]+$/

/**
 * The form in which two descriptions of the same work are equal: case, white space and the punctuation around
 * words do not count. Marks inside or in front of a word do (`a.ts`, `-1`, `C#`): they change what is asked.
 */
export function normalisedDescription(description: string): string {
  const words = description.normalize('NFKC').toLowerCase().split(/\s+/)
  const bare = words
    .map((word) => (DASHES.test(word) ? '' : word.replace(OPENING_MARKS, '').replace(CLOSING_MARKS, '')))
    .filter((word) => word !== '')
    .join(' ')
  return bare === '' ? description.trim() : bare
}
