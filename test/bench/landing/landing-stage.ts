import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createHub, type Hub } from '../../../src/adapters/git/hub/create-hub.ts'
import { formatId, type ProjectId } from '../../../src/domain/id.ts'
import type { Result } from '../../../src/domain/result.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { makeLargeRepository } from './large-repository.ts'
import { runPlainGit } from './plain-git.ts'
import { openTreesDisk } from './trees-disk.ts'

/** One large repository, and a hub with all of its commits. */
export type LandingStage = AsyncDisposable & {
  /** A directory on the disk of the hub. */
  readonly root: string
  /** The directory for working trees. */
  readonly trees: string
  readonly source: string
  readonly hub: Hub
  readonly project: ProjectId
  readonly files: number
  readonly base: string
  /** The tip of each branch, in order. */
  readonly tips: readonly string[]
}

export async function openLandingStage(files: number, branches: number): Promise<LandingStage> {
  const directory = await temporaryDirectory('muster-bench')
  const disk = await openTreesDisk()
  const root = directory.path
  const source = join(root, 'source.git')
  const made = await makeLargeRepository(source, files, branches)
  const hubsDirectory = join(root, 'hubs')
  const warmDirectory = join(disk.path, 'warm')
  const hub = createHub({ hubsDirectory, gitConfigFile: join(root, 'gitconfig'), warmDirectory })
  const project = formatId('project', Date.now(), randomBytes(11))
  const inspected = required(await hub.branches.inspectSource(source))
  const { commit: base } = required(await hub.branches.importBase(project, inspected, 'main'))
  // The tips of attempts are objects in the hub, each with its own ref.
  const refs = 'refs/heads/*:refs/muster/attempts/*'
  await runPlainGit(join(hubsDirectory, `${project}.git`), ['fetch', '--quiet', source, refs])
  const tips = await runPlainGit(source, ['rev-parse', ...made.branches])
  return {
    root,
    trees: disk.path,
    source,
    hub,
    project,
    files,
    base,
    tips: tips.split('\n'),
    [Symbol.asyncDispose]: async () => {
      hub[Symbol.dispose]()
      await disk[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** The value of a successful result. A failure is thrown, because the figures would mean nothing. */
export function required<Value, Failure>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value
  throw new Error(`unexpected failure: ${JSON.stringify(result.failure)}`)
}
