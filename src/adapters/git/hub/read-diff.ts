import { failure, type Result, success } from '../../../domain/result.ts'
import type { FileChange, GitFailure, TreeDiff } from '../../../ports/hub.ts'
import { cutText } from './cut-text.ts'
import { gitFailed, gitText } from './git-answer.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

const MOST_FILES = 5_000
const MOST_PATCH_BYTES = 16 * 1024 * 1024
const COUNTS = /^(\d+|-)\t(\d+|-)\t/
/** Programs that files ask for by name exist in no configuration that is read here; this also says so. */
const OPTIONS = ['-r', '-M', '-l1000', '--no-ext-diff', '--no-textconv', '--no-color']

export type DiffRequest = { readonly from: string; readonly to: string; readonly maxPatchBytes: number }

/** What differs between two commits, for a person or an agent to read. */
export async function readDiff(
  needs: { readonly git: Git },
  hub: string,
  { from, to, maxPatchBytes }: DiffRequest,
): Promise<Result<TreeDiff, GitFailure>> {
  if (!isObjectId(from) || !isObjectId(to)) {
    return failure({
      type: 'git-failed',
      command: 'git diff-tree',
      problem: `cannot compare ${from} and ${to}`,
    })
  }
  const [counted, printed] = await Promise.all([
    countChanges(needs.git, hub, from, to),
    needs.git({
      directory: hub,
      arguments: ['diff-tree', ...OPTIONS, '-p', '--end-of-options', from, to],
      settings: ['core.quotePath=false'],
      cutAfterBytes: Math.max(0, Math.min(maxPatchBytes, MOST_PATCH_BYTES)),
    }),
  ])
  if (!counted.ok) return counted
  if (!printed.ok) return printed
  if (printed.value.code !== 0) return failure(gitFailed(printed.value))
  const { stdout, isCut } = printed.value
  return success({
    files: counted.value.slice(0, MOST_FILES),
    patch: isCut ? cutText(stdout) : stdout.toString('utf8'),
    isCut: isCut || counted.value.length > MOST_FILES,
  })
}

/** One more than the most, when there are more. */
async function countChanges(
  git: Git,
  hub: string,
  from: string,
  to: string,
): Promise<Result<readonly FileChange[], GitFailure>> {
  const files: FileChange[] = []
  const takeRecord = createRecordReader((file) => files.push(file))
  const counted = await gitText(git, {
    directory: hub,
    arguments: ['diff-tree', ...OPTIONS, '--numstat', '-z', '--end-of-options', from, to],
    onRecord: (record) => {
      takeRecord(record.toString('utf8'))
      return files.length > MOST_FILES ? 'enough' : undefined
    },
  })
  return counted.ok ? success(files) : counted
}

/** Counts and path are one record, but for a rename: there the old and the new path follow as records of their own. */
function createRecordReader(take: (file: FileChange) => void): (record: string) => void {
  let counts: Counts = { added: 0, removed: 0, isBinary: false }
  let pathsToCome = 0

  return (record) => {
    const begun = pathsToCome === 0 ? parseCounts(record) : undefined
    counts = begun?.counts ?? counts
    pathsToCome = begun?.path === '' ? 2 : Math.max(0, pathsToCome - 1)
    if (pathsToCome === 0) take({ path: begun?.path ?? record, ...counts })
  }
}

type Counts = Omit<FileChange, 'path'>

function parseCounts(record: string): { readonly counts: Counts; readonly path: string } {
  const [line = '', added = '0', removed = '0'] = COUNTS.exec(record) ?? []
  return {
    counts: { added: countOf(added), removed: countOf(removed), isBinary: added === '-' },
    path: record.slice(line.length),
  }
}

function countOf(text: string): number {
  return text === '-' ? 0 : Number(text)
}
