import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFolder } from '../../src/adapters/playbooks/folder/read-folder.ts'
import { newPlaybookFiles } from '../../src/cli/playbook/new-playbook-text.ts'
import { OUTPUT_SCHEMAS } from '../../src/domain/playbook/output-format.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const GUIDE = 'docs/guides/playbooks.md'

async function faultsOf(files: Readonly<Record<string, string>>): Promise<unknown> {
  await using place = await temporaryDirectory()
  const directory = join(place.path, 'mine')
  await mkdir(directory)
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  const read = await readFolder(directory, 'playbooks/builtin')
  return read.ok ? read.value.review.warnings : read.failure
}

it('shows a valid playbook in the guide', async () => {
  const example = /```yaml\n(version: .*?)```/s.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? ''
  expect(await faultsOf({ 'playbook.yaml': example, 'developer.md': 'Develop it.' })).toEqual([])
})

it.each(Object.entries(OUTPUT_SCHEMAS))('lists the fields of a %s in the guide', async (format, schema) => {
  const rows = (await readFile(GUIDE, 'utf8')).split('\n')
  const cell = rows.findLast((row) => row.startsWith(`| \`${format}\` | `))?.split('|')[2] ?? ''
  const bold = [...cell.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, field]) => field)
  const fields = [...cell.replace(/;.*/, '').matchAll(/`(\w+)`/g)].map(([, field]) => field)
  // The answer about a change is optional, because its commit counts.
  expect(new Set(bold)).toEqual(new Set(format === 'change' ? [] : schema.required))
  expect(new Set(fields)).toEqual(new Set(Object.keys(schema.properties)))
})

it('writes a new playbook without faults or warnings', async () => {
  expect(await faultsOf(newPlaybookFiles('mine'))).toEqual([])
})
