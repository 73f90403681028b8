import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, type IndexPlace, writeIndexEntries } from '../commit/index-entries.ts'
import { gitText } from '../process/git-answer.ts'
import { type Git, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import type { IndexChange } from './index-file.ts'
import { hasSameBytes, pathIn, rawIdOf } from './tree-files.ts'

export type UnalteredRequest = {
  readonly hub: string
  readonly scratch: string
  readonly directory: string
  readonly tip: string
  /** Whether files were added without conversion, against the attributes in the commit. */
  readonly isRaw: boolean
}

/** A file that differs between the index and the commit. */
type Suspect = IndexEntry & { readonly committed: string }

/** Files whose only difference from the commit may be git's conversion. */
export type Suspects = {
  readonly take: (change: IndexChange) => void
  readonly suspects: Suspect[]
  /** Whether attributes were changed. Files may then have been written by other rules than git now reads them by. */
  readonly hasOtherRules: () => boolean
}

const RULES = /(?:^|\/)\.gitattributes$/
const MOST_SUSPECTS = 100_000

export function watchSuspects(): Suspects {
  const suspects: Suspect[] = []
  let hasOtherRules = false
  return {
    suspects,
    hasOtherRules: () => hasOtherRules,
    take: ({ path, before, after }) => {
      if (before === undefined) return
      hasOtherRules ||= RULES.test(path)
      if (after === undefined || before.id === after.id || suspects.length === MOST_SUSPECTS) return
      if (isFile(before) && isFile(after)) suspects.push({ ...after, committed: before.id })
    },
  }
}

function isFile({ mode }: IndexEntry): boolean {
  return mode.startsWith('100')
}

/**
 * Restores the index entries of files that only git's conversion has changed: files with exactly the bytes that a
 * checkout of the commit writes. A committed file need not match its own attributes, so git reports it as changed
 * although no one has touched it. Returns how many there were.
 */
export async function keepUnalteredFiles(
  git: Git,
  place: IndexPlace,
  request: UnalteredRequest,
  { suspects, hasOtherRules }: Pick<Suspects, 'suspects' | 'hasOtherRules'>,
): Promise<Result<number, GitFailure>> {
  const converted: Suspect[] = []
  for (const suspect of suspects) {
    if (request.isRaw || hasOtherRules() || (await isConverted(request, suspect))) converted.push(suspect)
  }
  if (converted.length === 0) return success(0)

  const checkedOut = await checkOutAgain(git, request, converted)
  if (!checkedOut.ok) return checkedOut
  const unaltered: IndexEntry[] = []
  for (const { committed, ...entry } of converted) {
    const isSame = await hasSameBytes(
      pathIn(request.directory, entry.path),
      pathIn(checkedOut.value, entry.path),
    )
    if (isSame) unaltered.push({ ...entry, id: committed })
  }
  const written = await writeIndexEntries(git, place, unaltered)
  return written.ok ? success(unaltered.length) : written
}

/** False for a file that was added without conversion, because then the file itself has changed. */
async function isConverted({ directory, tip }: UnalteredRequest, { path, id }: Suspect): Promise<boolean> {
  const raw = await rawIdOf(pathIn(directory, path), objectFormatOf(tip))
  return raw !== undefined && raw !== id
}

/** Checks out these files from the commit into a new folder. */
async function checkOutAgain(
  git: Git,
  { hub, scratch, tip }: UnalteredRequest,
  files: readonly IndexEntry[],
): Promise<Result<string, GitFailure>> {
  const directory = join(scratch, 'again')
  const workTree = join(scratch, 'again-files')
  await mkdir(workTree)
  await writeGitDirectory({
    path: directory,
    objectFormat: objectFormatOf(tip),
    alternates: [join(hub, 'objects')],
  })
  const place = { directory, workTree, settings: ['core.bare=false'], timeoutMs: LONG_TIMEOUT_MS }
  const read = await gitText(git, { ...place, arguments: ['read-tree', '--end-of-options', tip] })
  if (!read.ok) return read
  const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(''), 'latin1')
  const written = await git({ ...place, arguments: ['checkout-index', '--quiet', '-z', '--stdin'], input })
  // Attributes may keep a file from being written. It is then missing and counts as changed.
  return written.ok ? success(workTree) : failure(written.failure)
}
