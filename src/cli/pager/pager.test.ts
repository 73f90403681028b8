import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_JOB_ID } from '../testing/sample-wire.ts'
import { pagerCommand } from './start-pager.ts'

const trial = createCommandTrial(temporaryDirectory)
const ROWS = 24

/** A terminal with 24 rows that records what it shows. */
function terminal() {
  const chunks: string[] = []
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: ROWS })
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return { stream, text: () => chunks.join('') }
}

/** Prints the diff of a job with a patch of this many lines. `tee` is the pager: its file shows what it got. */
async function printDiff(
  lines: number,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const file = join(trial.path(), 'paged')
  const patch = Array.from({ length: lines }, (_, index) => `+line ${index}\n`).join('')
  const files = [{ path: 'a', added: lines, removed: 0, isBinary: false, status: 'added' }]
  const diff = {
    files,
    patch,
    subject: SAMPLE_JOB_ID,
    from: 'a'.repeat(40),
    to: 'b'.repeat(40),
    omittedFiles: 0,
    isCut: false,
    gitDirectory: '/x',
  }
  const shown = terminal()
  const printed = await trial.run({ answers: () => diff }, ['diff', SAMPLE_JOB_ID, ...flags], {
    stdout: shown.stream,
    environment: { PATH: process.env['PATH'], MUSTER_PAGER: `tee ${file}`, ...environment },
  })
  return {
    code: printed.code,
    err: printed.err,
    shown: shown.text(),
    paged: await readFile(file, 'utf8').catch(() => undefined),
  }
}

it('shows output that is longer than the screen in the pager, with colours', async () => {
  const { code, paged, shown } = await printDiff(100)
  expect(code).toBe(0)
  expect(paged).toContain('\u001b[32m+line 99\u001b[39m\n')
  expect(shown).toBe(paged)
})

it('prints what fits on the screen without a pager', async () => {
  const { paged, shown } = await printDiff(5)
  expect(paged).toBeUndefined()
  expect(shown).toContain('+line 4')
})

it.each([
  ['--no-pager', {}, ['--no-pager']],
  ['a pager that does not exist', { MUSTER_PAGER: 'no-such-program' }, []],
  ['MUSTER_PAGER=cat', { MUSTER_PAGER: 'cat' }, []],
  ['a terminal that can do nothing', { TERM: 'dumb' }, []],
])('prints everything without a pager: %s', async (_name, environment, flags) => {
  const { code, paged, shown } = await printDiff(100, environment, flags)
  expect({ code, paged }).toEqual({ code: 0, paged: undefined })
  expect(shown).toContain('+line 99')
})

it('ends quietly when the person leaves the pager before the end', async () => {
  const { code, err, shown } = await printDiff(20_000, { MUSTER_PAGER: 'head -n 2' })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(shown.split('\n')).toHaveLength(3)
})

it('uses MUSTER_PAGER, then PAGER, then less', () => {
  expect(pagerCommand({ MUSTER_PAGER: 'less -S', PAGER: 'more' })).toEqual(['less', '-S'])
  expect(pagerCommand({ PAGER: 'more' })).toEqual(['more'])
  expect(pagerCommand({})).toEqual(['less'])
  expect(pagerCommand({ MUSTER_PAGER: '' })).toEqual([])
})
