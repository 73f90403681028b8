import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainText } from '../../../../domain/plain-text.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { isObjectId } from '../repository/object-id.ts'
import { scratchDirectoryOf } from '../repository/scratch.ts'

export type NewCommit = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  /** Never the current time: a commit that is made again after a crash must have the same id. */
  readonly time: number
}

/** The same as in the git configuration. */
const AUTHOR = 'Muster <muster@localhost>'

/** Makes a commit through a companion if possible. Both ways make exactly the same commit. */
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
  // The question is one line, so it can't contain a path with a newline.
  if (directory.includes('\n')) return undefined
  const path = join(directory, randomUUID())
  await mkdir(directory).catch(ignoreCodes('EEXIST', 'ENOENT'))
  const written = await writeFile(path, commitText(made)).then(() => true, ignoreCodes('ENOENT'))
  // Without its hub, git reports the problem.
  if (written === undefined) return undefined
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
  // Parts of it come from agents, and people print it in their terminals.
  const message = plainText(made.message)
  return message.endsWith('\n') ? message : `${message}\n`
}
