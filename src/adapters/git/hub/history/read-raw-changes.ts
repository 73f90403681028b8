import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import type { Result } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'

/** One side of a change: what a commit has at the path. */
export type RawEntry = { readonly mode: string; readonly id: string }

/** A side is undefined if its commit doesn't have the path. */
export type RawChange = {
  readonly path: Buffer
  readonly before: RawEntry | undefined
  readonly after: RawEntry | undefined
}

export type RawRequest = Pick<GitCall, 'cutRecordsAt'> & {
  readonly from: string
  readonly to: string
  readonly take: (change: RawChange) => 'enough' | undefined
  /** Options that make git print more than the changes, and what takes the records that aren't changes. */
  readonly more?: { readonly options: readonly string[]; readonly take: (record: Buffer) => void }
}

const HEADER = /^:([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/
const ABSENT = '000000'

/** Reads what differs between two commits, file by file. A moved file is deleted in one place and added in another. */
export async function readRawChanges(
  git: Git,
  hub: string,
  { from, to, take, more, cutRecordsAt }: RawRequest,
): Promise<Result<string, GitFailure>> {
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', ...(more?.options ?? [])]
  let header: Omit<RawChange, 'path'> | undefined
  return await gitText(git, {
    directory: hub,
    arguments: ['diff-tree', ...options, '--end-of-options', from, to],
    ...(cutRecordsAt === undefined ? {} : { cutRecordsAt }),
    onRecord: (record) => {
      if (header === undefined) {
        header = parseHeader(record.toString('latin1'))
        if (header === undefined) more?.take(record)
        return undefined
      }
      const change = { path: record, ...header }
      header = undefined
      return take(change)
    },
  })
}

function parseHeader(text: string): Omit<RawChange, 'path'> | undefined {
  const [head, before = '', after = '', beforeId = '', afterId = ''] = HEADER.exec(text) ?? []
  if (head === undefined) return undefined
  return {
    before: before === ABSENT ? undefined : { mode: before, id: beforeId },
    after: after === ABSENT ? undefined : { mode: after, id: afterId },
  }
}
