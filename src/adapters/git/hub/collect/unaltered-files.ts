import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, type IndexPlace, writeIndexEntries } from '../commit/index-entries.ts'
import { gitText } from '../process/git-answer.ts'
import { type Git, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { hasSameBytes, rawIdOf } from './raw-file.ts'

export type UnalteredRequest = {
  readonly hub: string
  readonly scratch: string
  readonly directory: string
  readonly tip: string
  /** Whether files went into the index as the bytes that they are, against the rules of the commit. */
  readonly isRaw: boolean
}

/** A file that is another in the index than in the commit. */
type Suspect = IndexEntry & { readonly committed: string }

type Suspects = {
  readonly suspects: readonly Suspect[]
  /** Whether attributes of the commit were changed: files may have been written by others than they were taken by. */
  readonly hasOtherRules: boolean
}

const RULES = /(?:^|\/)\.gitattributes$/
const MOST_SUSPECTS = 100_000
const CHANGE = /^:(100\d+) (100\d+) ([0-9a-f]+) ([0-9a-f]+) M$/

/**
 * Takes back from the index what only git's conversion has changed: files that are to the byte what the checkout of
 * the commit writes. A committed file may not be what its own attributes make of it, and nobody has touched it.
 */
export async function keepUnalteredFiles(
  git: Git,
  place: IndexPlace,
  request: UnalteredRequest,
): Promise<Result<void, GitFailure>> {
  const found = await findSuspects(git, place, request.tip)
  if (!found.ok) return found
  const { suspects, hasOtherRules } = found.value
  const converted: Suspect[] = []
  for (const suspect of suspects) {
    if (request.isRaw || hasOtherRules || (await isConverted(request, suspect))) converted.push(suspect)
  }
  if (converted.length === 0) return success(undefined)

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
  return await writeIndexEntries(git, place, unaltered)
}

async function findSuspects(git: Git, place: IndexPlace, tip: string): Promise<Result<Suspects, GitFailure>> {
  const suspects: Suspect[] = []
  let hasOtherRules = false
  let change: RegExpExecArray | null = null
  let isPath = false
  const options = ['--cached', '-z', '--no-abbrev', '--no-renames', '--diff-filter=MD']
  const listed = await gitText(git, {
    ...place,
    arguments: ['diff-index', ...options, '--end-of-options', tip],
    onRecord: (record) => {
      const text = record.toString('latin1')
      if (isPath && change !== null) {
        const [, , mode = '', committed = '', id = ''] = change
        if (committed !== id) suspects.push({ mode, id, path: text, committed })
      }
      if (isPath) hasOtherRules ||= RULES.test(text)
      else change = CHANGE.exec(text)
      isPath = !isPath
      return suspects.length === MOST_SUSPECTS ? 'enough' : undefined
    },
  })
  return listed.ok ? success({ suspects, hasOtherRules }) : listed
}

/** What went into the index as the bytes that it is has changed indeed. */
async function isConverted({ directory, tip }: UnalteredRequest, { path, id }: Suspect): Promise<boolean> {
  const raw = await rawIdOf(pathIn(directory, path), objectFormatOf(tip))
  return raw !== undefined && raw !== id
}

/** These files as the commit's checkout writes them, in a folder that nobody else has seen. */
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
  // Some may not be writable by their own rules: they are then missing, and count as changed.
  return written.ok ? success(workTree) : failure(written.failure)
}

function pathIn(directory: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(path, 'latin1')])
}
