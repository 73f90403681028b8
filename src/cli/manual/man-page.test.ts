import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { EXAMPLES } from '../command-help.ts'
import { createCommandTree } from '../command-tree.ts'
import { runCli } from '../run-cli.ts'
import { testSurroundings } from '../testing/test-surroundings.ts'
import { manPage } from './man-page.ts'

const run = promisify(execFile)
const tree = createCommandTree(testSurroundings(), async () => {})

it('describes every command and every option', () => {
  const page = manPage(tree, '1.2.3')
  for (const name of Object.keys(EXAMPLES)) expect(page).toMatch(new RegExp(`^\\.SS muster ${name}`, 'm'))
  const options = tree.commands.flatMap((command) => command.options).filter(({ hidden }) => !hidden)
  for (const { flags } of options) expect(page).toContain(`.B ${flags.replaceAll('-', '\\-')}\n`)
})

it('is printed on request', async () => {
  const surroundings = testSurroundings()
  expect(await runCli(surroundings, ['help', '--man'])).toBe(0)
  expect(surroundings.stdoutText()).toBe(manPage(tree, surroundings.version))
})

const hasGroff = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'groff')))

it.skipIf(!hasGroff)('is formatted without complaints (skipped without groff)', async () => {
  await using directory = await temporaryDirectory('muster-man')
  const file = join(directory.path, 'muster.1')
  await writeFile(file, manPage(tree, '1.2.3'))
  const { stdout, stderr } = await run('groff', ['-man', '-Tascii', '-ww', '-P-c', file])
  expect(stderr).toBe('')
  // groff prints a bold letter as the letter, a backspace and the letter again.
  const shown = stdout
    .split(/(?<=\n)/)
    .map((line) => line.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), ''))
  expect(shown.join('')).toContain('muster approve [approval]')
})
