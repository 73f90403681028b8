import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryDirectory = AsyncDisposable & { readonly path: string }

/** A directory that is removed with the test. Other users may traverse it, because root's PostgreSQL must. */
export async function temporaryDirectory(
  name = 'muster-test',
  parent = tmpdir(),
): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(parent, `${name}-`))
  await chmod(path, 0o711)
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
