import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderPlaybooks } from '../../src/adapters/playbooks/folder/folder-playbooks.ts'
import type { PlaybookFolder } from '../../src/ports/playbook-source.ts'
import { take } from './take.ts'

/** Writes a playbook whose roles use the prompt `developer.md` into a directory, and reads it as the engine does. */
export async function writtenPlaybook(
  directory: string,
  name: string,
  playbook: Readonly<Record<string, unknown>>,
): Promise<PlaybookFolder> {
  const path = join(directory, name)
  await mkdir(path)
  const whole = { version: 1, name, description: 'An example.', ...playbook }
  await writeFile(join(path, 'playbook.yaml'), JSON.stringify(whole))
  await writeFile(join(path, 'developer.md'), 'You develop.')
  return take(await createFolderPlaybooks({ shipped: 'playbooks' }).read(path))
}
