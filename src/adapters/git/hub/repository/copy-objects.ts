import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import { type Git, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { quotePath } from './git-directory.ts'

export type ObjectCopy = {
  /** The git directory that receives. */
  readonly into: string
  /** The object directory that gives. */
  readonly objects: string
  readonly commit: string
  /** A commit that `into` has: nothing that it needs is copied. */
  readonly shared: string
  /** A folder on the disk of `into`, for objects that are not checked yet. */
  readonly scratch: string
}

/** The pack of an ordinary change. A larger one would have to pass through this process, and is fetched instead. */
const MOST_BYTES = 1024 * 1024
const PACK_HEADER_BYTES = 12
const COUNT_OFFSET = 8
const FAN_OUT = /^[0-9a-f]{2}$/
const LOOSE_OBJECT = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/

/**
 * Copies a commit and what it needs, every object checked, with two short processes where a fetch takes six. False when
 * that was not possible: `fetchIntoHub` then does it, or says what is wrong. Afterwards no ref names the commit.
 */
export async function copyObjects(
  { git }: { readonly git: Git },
  { into, objects, commit, shared, scratch }: ObjectCopy,
): Promise<boolean> {
  const packed = await git({
    directory: into,
    arguments: ['pack-objects', '--revs', '--stdout', '--quiet', '--window=0', '--threads=1'],
    environment: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(objects) },
    input: `${commit}\n^${shared}\n`,
    cutAfterBytes: MOST_BYTES,
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!packed.ok || packed.value.code !== 0 || packed.value.isCut) return false
  const pack = packed.value.stdout
  if (pack.length < PACK_HEADER_BYTES) return false
  // The receiver may have everything already: then the pack is empty.
  if (pack.readUInt32BE(COUNT_OFFSET) === 0) return true
  // Git writes objects before it has checked how they fit together, so they wait apart until all of them are checked.
  const quarantine = join(scratch, 'objects')
  await mkdir(quarantine)
  const unpacked = await git({
    directory: into,
    arguments: ['unpack-objects', '-q', '--strict'],
    environment: {
      GIT_OBJECT_DIRECTORY: quarantine,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(into, 'objects')),
    },
    input: pack,
    timeoutMs: LONG_TIMEOUT_MS,
  })
  const isChecked = unpacked.ok && unpacked.value.code === 0
  if (isChecked) await moveObjects(quarantine, join(into, 'objects'))
  await rm(quarantine, { recursive: true, force: true })
  return isChecked
}

/** Objects are named by their content, so one that is there already is the same. */
async function moveObjects(from: string, to: string): Promise<void> {
  for (const folder of (await readdir(from)).filter((name) => FAN_OUT.test(name))) {
    for (const name of (await readdir(join(from, folder))).filter((file) => LOOSE_OBJECT.test(file))) {
      await mkdir(join(to, folder)).catch((error: unknown) => {
        if (systemErrorCode(error) !== 'EEXIST') throw error
      })
      await rename(join(from, folder, name), join(to, folder, name))
    }
  }
}
