import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { quotePath } from '../repository/git-directory.ts'
import { LISTED } from './find-work.ts'

export type SubmoduleRequest = {
  readonly scratch: string
  readonly base: string
  readonly tip: string
  /** Files that Muster itself has committed. Those in the agent's own commits were checked when they were taken. */
  readonly changed: readonly string[]
}

/** Git reads the file at the root only. It also reads names that some disks take for the same name. */
const SUBMODULES = /^(?:\.gitmodules[ .]*(?::.*)?|gitmod~\d+|gi7eba~\d+)$/i
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
const MOST_BYTES = 64 * 1024 * 1024
const PROBLEM_LENGTH = 300
const FAULT = /(?:error|fatal): (?:object [0-9a-f]+: )?(.+)/

/**
 * What git's own check has against a changed .gitmodules, which can make git run programs in other people's clones.
 * Undefined if it has nothing. The new objects are unpacked once more into a scratch folder, because git checks objects
 * only when they arrive.
 */
export async function findSubmoduleFault(
  { git }: { readonly git: Git },
  hub: string,
  { scratch, base, tip, changed }: SubmoduleRequest,
): Promise<string | undefined> {
  const isListed = changed.length < LISTED
  if (isListed && !changed.some((path) => SUBMODULES.test(path.replaceAll(IGNORABLE, '')))) return undefined
  const packed = await git({
    directory: hub,
    arguments: ['pack-objects', '--revs', '--stdout', '--quiet', '--window=0', '--threads=1'],
    input: `${tip}\n^${base}\n`,
    cutAfterBytes: MOST_BYTES,
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!packed.ok || packed.value.code !== 0 || packed.value.isCut) return 'it could not be checked'
  const checked = join(scratch, 'checked-objects')
  await mkdir(checked)
  const unpacked = await git({
    directory: hub,
    arguments: ['unpack-objects', '-q', '--strict'],
    environment: {
      GIT_OBJECT_DIRECTORY: checked,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(hub, 'objects')),
    },
    input: packed.value.stdout,
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!unpacked.ok) return 'it could not be checked'
  if (unpacked.value.code === 0) return undefined
  return (FAULT.exec(unpacked.value.stderr)?.[1] ?? 'it is not valid').slice(0, PROBLEM_LENGTH)
}
