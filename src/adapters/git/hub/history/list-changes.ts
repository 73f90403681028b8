import type { FileChange } from '../../../../domain/repository/file-change.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'

const COUNTS = /^(\d+|-)\t(\d+|-)\t/
const RAW = /^:([0-7]{6}) ([0-7]{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])/
const LINK = '120000'

type ChangesRequest = {
  readonly options: readonly string[]
  readonly from: string
  readonly to: string
  readonly most: number
}

/** Which files differ between two commits, how, and by how many lines. Lists `most` + 1 files if there are more. */
export async function listChanges(
  git: Git,
  hub: string,
  request: ChangesRequest,
): Promise<Result<readonly FileChange[], GitFailure>> {
  const [counted, described] = await Promise.all([
    readChanges(git, hub, request, { option: '--numstat', parse: parseCounts }),
    readChanges(git, hub, request, { option: '--raw', parse: parseRaw }),
  ])
  if (!counted.ok) return counted
  if (!described.ok) return described
  const kinds = new Map(described.value.map(({ path, fields, from }) => [path, kindOf(fields, from)]))
  return success(counted.value.map(({ path, fields }) => ({ path, ...fields, ...kinds.get(path) })))
}

/** The fields of a record, and either the path at its end or how many records with paths follow. */
type Head<Fields> = { readonly fields: Fields; readonly paths: number; readonly path?: string }
type Form<Fields> = { readonly option: string; readonly parse: (record: string) => Head<Fields> }
type Change<Fields> = { readonly path: string; readonly fields: Fields; readonly from?: string }

async function readChanges<Fields>(
  git: Git,
  hub: string,
  { options, from, to, most }: ChangesRequest,
  { option, parse }: Form<Fields>,
): Promise<Result<readonly Change<Fields>[], GitFailure>> {
  const changes: Change<Fields>[] = []
  const takeRecord = createRecordReader(parse, (change) => changes.push(change))
  const read = await gitText(git, {
    directory: hub,
    arguments: ['diff-tree', ...options, option, '-z', '--end-of-options', from, to],
    onRecord: (record) => {
      takeRecord(record.toString('utf8'))
      return changes.length > most ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return read.ok ? success(changes) : read
}

function createRecordReader<Fields>(
  parse: (record: string) => Head<Fields>,
  take: (change: Change<Fields>) => void,
): (record: string) => void {
  let head: Head<Fields> | undefined
  let paths: string[] = []

  return (record) => {
    if (head === undefined) head = parse(record)
    else paths.push(record)
    if (paths.length < head.paths) return
    const [first = '', second] = head.path === undefined ? paths : [head.path]
    const { fields } = head
    take(second === undefined ? { path: first, fields } : { path: second, from: first, fields })
    head = undefined
    paths = []
  }
}

type Counts = Pick<FileChange, 'added' | 'removed' | 'isBinary'>

/** A record has the counts and the path. For a rename, the old and the new path follow as separate records. */
function parseCounts(record: string): Head<Counts> {
  const [line = '', added = '0', removed = '0'] = COUNTS.exec(record) ?? []
  const path = record.slice(line.length)
  const fields = { added: countOf(added), removed: countOf(removed), isBinary: added === '-' }
  return path === '' ? { fields, paths: 2 } : { fields, paths: 0, path }
}

function countOf(text: string): number {
  return text === '-' ? 0 : Number(text)
}

type Raw = { readonly before: string; readonly after: string; readonly letter: string }

/** The path follows as a separate record. For a rename, the old and the new path follow. */
function parseRaw(record: string): Head<Raw> {
  const [, before = '', after = '', letter = ''] = RAW.exec(record) ?? []
  return { fields: { before, after, letter }, paths: letter === 'R' || letter === 'C' ? 2 : 1 }
}

const STATUSES: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'retyped',
}

function kindOf(
  { before, after, letter }: Raw,
  from: string | undefined,
): Pick<FileChange, 'status' | 'from' | 'mode' | 'isLink'> {
  const status = STATUSES[letter]
  const isSameKind = status === undefined || status === 'renamed'
  const isLink = after === LINK || (status === 'deleted' && before === LINK)
  return {
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(isSameKind && before !== after ? { mode: { from: before.slice(-3), to: after.slice(-3) } } : {}),
    ...(isLink ? { isLink } : {}),
  }
}
