/** The paths and texts of the small library that the demo works on. */
export type FileTree = Readonly<Record<string, string>>

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`

export const GOAL = lines(
  '# Finish pocket-tally',
  '',
  'All tests in `test/` pass, and none is marked `todo`.',
  '',
  '- `mean()` returns the arithmetic mean of a list of any length.',
  '- `mean()` throws a RangeError for an empty list.',
  '- `formatDuration()` formats minutes and seconds as 1:05.',
)

export const MEAN_BROKEN = lines(
  '/** The arithmetic mean of a list of numbers. */',
  'export function mean(numbers) {',
  '  const total = numbers.reduce((sum, number) => sum + number, 0)',
  '  return total / (numbers.length - 1)',
  '}',
)

export const MEAN_FIXED = lines(
  '/** The arithmetic mean of a list of numbers. */',
  'export function mean(numbers) {',
  '  const total = numbers.reduce((sum, number) => sum + number, 0)',
  '  return total / numbers.length',
  '}',
)

/** Written without knowledge of the fix above, on the same lines. */
export const MEAN_STRICT_ON_OLD_BASE = lines(
  '/** The arithmetic mean of a list of numbers. */',
  'export function mean(numbers) {',
  "  if (numbers.length === 0) throw new RangeError('the mean of nothing is not defined')",
  '  return numbers.reduce((sum, number) => sum + number / numbers.length, 0)',
  '}',
)

export const MEAN_STRICT = lines(
  '/** The arithmetic mean of a list of numbers. */',
  'export function mean(numbers) {',
  "  if (numbers.length === 0) throw new RangeError('the mean of nothing is not defined')",
  '  const total = numbers.reduce((sum, number) => sum + number, 0)',
  '  return total / numbers.length',
  '}',
)

const durationModule = (seconds: string): string =>
  lines(
    '/** Formats seconds as minutes and seconds, as on a clock. */',
    'export function formatDuration(seconds) {',
    `  return Math.floor(seconds / 60) + ':' + ${seconds}`,
    '}',
  )

const DURATION_BROKEN = durationModule('(seconds % 60)')

/** Pads on the wrong side. */
export const DURATION_WRONG = durationModule("String(seconds % 60).padEnd(2, '0')")

export const DURATION_FIXED = durationModule("String(seconds % 60).padStart(2, '0')")

const CLAMP = lines(
  '/** Limits a number to a range. */',
  'export function clamp(number, low, high) {',
  '  return Math.min(Math.max(number, low), high)',
  '}',
)

const testFile = (file: string, name: string, body: readonly string[]): string =>
  lines(
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    `import { ${name} } from '../src/${file}.mjs'`,
    '',
    ...body,
  )

const oneTest = (title: string, todo: boolean, expectation: string): readonly string[] => [
  `test('${title}', ${todo ? '{ todo: true }, ' : ''}() => {`,
  `  ${expectation}`,
  '})',
]

export const meanTest = (todo: boolean): string =>
  testFile('mean', 'mean', oneTest('the mean of 2, 4 and 9 is 5', todo, 'assert.equal(mean([2, 4, 9]), 5)'))

export const emptyMeanTest = (todo: boolean): string =>
  testFile(
    'mean',
    'mean',
    oneTest('an empty list has no mean', todo, 'assert.throws(() => mean([]), RangeError)'),
  )

export const durationTest = (todo: boolean): string =>
  testFile(
    'duration',
    'formatDuration',
    oneTest('65 seconds are 1:05', todo, "assert.equal(formatDuration(65), '1:05')"),
  )

const clampTest = testFile(
  'clamp',
  'clamp',
  oneTest('12 is limited to 10', false, 'assert.equal(clamp(12, 0, 10), 10)'),
)

/** The repository at the start of the job: one module works, and the tests show that two don't. */
export const FIRST_FILES: FileTree = {
  'GOAL.md': GOAL,
  'README.md': lines(
    '# pocket-tally',
    '',
    'Small sums for everyday programs. Run the tests with `node --test`.',
  ),
  'package.json': lines('{', '  "name": "pocket-tally",', '  "private": true,', '  "type": "module"', '}'),
  'src/clamp.mjs': CLAMP,
  'src/duration.mjs': DURATION_BROKEN,
  'src/mean.mjs': MEAN_BROKEN,
  'test/clamp.test.mjs': clampTest,
  'test/duration.test.mjs': durationTest(true),
  'test/empty-mean.test.mjs': emptyMeanTest(true),
  'test/mean.test.mjs': meanTest(true),
}
