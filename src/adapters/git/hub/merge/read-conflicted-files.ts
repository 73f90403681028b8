import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { ConflictedFile } from '../../../../ports/commits.ts'
import { readablePath } from '../commit/index-entries.ts'
import { gitFailed } from '../process/git-answer.ts'
import { cutText } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

type Needs = { readonly git: Git }
type Conflict = {
  /** Bytes, decoded as latin1, because names need not be text. */
  readonly path: string
  /** The mode on each side that has the file: a file, a link or a repository. */
  readonly modes: ReadonlyMap<Stage, string>
}
type Stage = 'base' | 'onto' | 'tip'
type Conflicts = { readonly tree: string; readonly files: readonly Conflict[] }

const MOST_FILES = 50
const FILE_BYTES = 16 * 1024
const ALL_BYTES = 96 * 1024
/** Enough for three sides of every file that is shown, even with very long paths. */
const LISTED_BYTES = 1024 * 1024
const ENTRY = /^(\d+) [0-9a-f]+ ([123])\t/
const STAGES: Readonly<Record<string, Stage>> = { 1: 'base', 2: 'onto', 3: 'tip' }
const FILE_MODE = /^100/
/** Git itself looks this far for a NUL byte, which marks a binary file. */
const TEXT_PROOF_BYTES = 8000

/** The conflicted files with conflict markers, as a merge in a checkout would leave them. */
export async function readConflictedFiles(
  needs: Needs,
  hub: string,
  onto: string,
  tip: string,
): Promise<Result<readonly ConflictedFile[], GitFailure>> {
  const conflicts = await findConflicts(needs, hub, onto, tip)
  if (!conflicts.ok) return conflicts
  const files: ConflictedFile[] = []
  let room = ALL_BYTES
  for (const conflict of conflicts.value.files.slice(0, MOST_FILES)) {
    const text = await describe(needs, hub, conflicts.value.tree, conflict, Math.min(room, FILE_BYTES))
    if (!text.ok) return text
    room = Math.max(0, room - Buffer.byteLength(text.value))
    files.push({ path: readablePath(conflict.path), text: text.value })
  }
  return success(files)
}

async function findConflicts(
  needs: Needs,
  directory: string,
  onto: string,
  tip: string,
): Promise<Result<Conflicts, GitFailure>> {
  if (!isObjectId(onto) || !isObjectId(tip)) {
    return failure({
      type: 'git-failed',
      command: 'git merge-tree',
      problem: `cannot merge ${tip} onto ${onto}`,
    })
  }
  const options = ['--write-tree', '-z', '--no-messages', '--allow-unrelated-histories']
  const ran = await needs.git({
    directory,
    arguments: ['merge-tree', ...options, '--end-of-options', onto, tip],
    cutAfterBytes: LISTED_BYTES,
  })
  if (!ran.ok) return ran
  const [tree = '', ...records] = ran.value.stdout.toString('latin1').split('\0')
  // The last record may be incomplete.
  if (ran.value.isCut) records.pop()
  if (ran.value.code > 1 || !isObjectId(tree)) return failure(gitFailed(ran.value))
  return success({ tree, files: groupByPath(records) })
}

function groupByPath(records: readonly string[]): readonly Conflict[] {
  const found = new Map<string, Map<Stage, string>>()
  for (const record of records) {
    const [line = '', mode, number = ''] = ENTRY.exec(record) ?? []
    const stage = STAGES[number]
    if (mode === undefined || stage === undefined) continue
    const path = record.slice(line.length)
    found.set(path, (found.get(path) ?? new Map<Stage, string>()).set(stage, mode))
  }
  return [...found].map(([path, modes]) => ({ path, modes }))
}

async function describe(
  needs: Needs,
  hub: string,
  tree: string,
  { path, modes }: Conflict,
  room: number,
): Promise<Result<string, GitFailure>> {
  if ([...modes.values()].some((mode) => !FILE_MODE.test(mode))) {
    return success('[a symbolic link or a nested repository on one side: no text to show]')
  }
  if (room === 0) return success('[left out, because the files above are long]')
  const read = await readStart(needs, hub, `${tree}:${path}`, room)
  if (!read.ok) return read
  const gone = describeAbsence(modes)
  if (read.value === undefined) return success(gone ?? '[not in the merged tree]')
  const { bytes, isCut } = read.value
  if (bytes.subarray(0, TEXT_PROOF_BYTES).includes(0))
    return success('[a binary file that both sides changed]')
  const lines = [...(gone === undefined ? [] : [gone]), isCut ? cutText(bytes) : bytes.toString('utf8')]
  return success([...lines, ...(isCut ? ['[cut here]'] : [])].join('\n'))
}

function describeAbsence(modes: Conflict['modes']): string | undefined {
  if (modes.has('onto') && modes.has('tip')) return undefined
  if (modes.has('onto')) return '[deleted or moved on the incoming side; this is the other side]'
  if (modes.has('tip')) return '[deleted or moved on the branch; this is the incoming side]'
  return '[deleted or moved on both sides]'
}

/** The first bytes of a file. Undefined if there is no file with that name. */
async function readStart(
  needs: Needs,
  directory: string,
  name: string,
  bytes: number,
): Promise<Result<{ readonly bytes: Buffer; readonly isCut: boolean } | undefined, GitFailure>> {
  const found = await needs.git({
    directory,
    arguments: ['cat-file', '--batch-check=%(objectname) %(objecttype)', '-z'],
    input: Buffer.from(`${name}\0`, 'latin1'),
  })
  if (!found.ok) return found
  const [id = '', type] = found.value.stdout.toString('latin1').trimEnd().split(' ')
  if (found.value.code !== 0 || type !== 'blob' || !isObjectId(id)) return success(undefined)
  const read = await needs.git({ directory, arguments: ['cat-file', 'blob', id], cutAfterBytes: bytes })
  if (!read.ok) return read
  if (read.value.code !== 0) return failure(gitFailed(read.value))
  return success({ bytes: read.value.stdout, isCut: read.value.isCut })
}
