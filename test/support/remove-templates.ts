import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { templatePrefix } from '../../src/adapters/git/hub/testing/test-repository.ts'

/** Vitest ends its workers with a signal, so they can't remove the templates that their test files share. */
export async function teardown(): Promise<void> {
  const prefix = templatePrefix(process.pid)
  for (const name of await readdir(tmpdir()))
    if (name.startsWith(prefix)) await rm(join(tmpdir(), name), { recursive: true, force: true })
}
