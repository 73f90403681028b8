import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFolder } from '../../src/adapters/playbooks/folder/read-folder.ts'
import { newPlaybookFiles } from '../../src/cli/playbook/new-playbook-text.ts'
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
  const example = /```yaml\n(.*?)```/s.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? ''
  expect(await faultsOf({ 'playbook.yaml': example, 'developer.md': 'Develop it.' })).toEqual([])
})

it('writes a new playbook without faults or warnings', async () => {
  expect(await faultsOf(newPlaybookFiles('mine'))).toEqual([])
})
