import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { isObjectId } from '../repository/object-id.ts'
import { scratchDirectoryOf } from '../repository/scratch.ts'

export type NewCommit = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  /** Never the present time: the same commit made again after a death must have the same id. */
  readonly time: number
}

/** The same as in the configuration of our git. */
const AUTHOR = 'Muster <muster@localhost>'

/** The commit is the same to the byte whichever way it is made. */
export async function makeCommit(
  needs: HubGit,
  hub: string,
  made: NewCommit,
): Promise<Result<string, GitFailure>> {
  const message = messageText(made)
  const quick = await makeQuickly(needs, hub, { ...made, message })
  if (quick !== undefined) return success(quick)

  const date = `@${made.time} +0000`
  return await gitText(needs.git, {
    directory: hub,
    arguments: ['commit-tree', ...made.parents.flatMap((parent) => ['-p', parent]), '-F', '-', made.tree],
    environment: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    input: message,
  })
}

async function makeQuickly(needs: HubGit, hub: string, made: NewCommit): Promise<string | undefined> {
  const directory = scratchDirectoryOf(hub)
  // A path with a line end cannot be said on one line.
  if (directory.includes('\n')) return undefined
  const path = join(directory, randomUUID())
  await mkdir(directory, { recursive: true })
  await writeFile(path, commitText(made))
  try {
    const answer = await needs.companions.ask(hub, 'hash-object', `${path}\n`)
    const id = answer?.toString('latin1').trimEnd() ?? ''
    return isObjectId(id) ? id : undefined
  } finally {
    await rm(path, { force: true })
  }
}

function commitText({ tree, parents, message, time }: NewCommit): string {
  const parentLines = parents.map((parent) => `parent ${parent}\n`).join('')
  const by = `${AUTHOR} ${time} +0000`
  return `tree ${tree}\n${parentLines}author ${by}\ncommitter ${by}\n\n${message}`
}

function messageText(made: NewCommit): string {
  const message = made.message.replaceAll('\0', '')
  return message.endsWith('\n') ? message : `${message}\n`
}
