import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatId, type ProjectId } from '../../../../domain/id.ts'
import type { Result } from '../../../../domain/result.ts'
import { createHub, type Hub } from '../create-hub.ts'

export type HubStage = Disposable & {
  readonly root: string
  readonly hub: Hub
  readonly project: ProjectId
  readonly hubDirectory: string
  /** A path for a working tree. */
  readonly treeAt: (name: string) => string
}

const { PATH } = process.env
let count = 0

/** A distinct id of this kind for every call. */
export function newId<Kind extends 'project' | 'attempt'>(kind: Kind) {
  count += 1
  return formatId(
    kind,
    Date.now(),
    Uint8Array.from({ length: 11 }, (_, index) => count >> (index % 3)),
  )
}

export function openStage(): HubStage {
  const root = mkdtempSync(join(tmpdir(), 'muster-hub-'))
  const hubsDirectory = join(root, 'hubs')
  const project = newId('project')
  const hub = createHub({
    hubsDirectory,
    gitConfigFile: join(root, 'gitconfig'),
    warmDirectory: join(root, 'warm'),
  })
  return {
    root,
    project,
    hub,
    hubDirectory: join(hubsDirectory, `${project}.git`),
    treeAt: (name) => join(root, 'trees', name),
    [Symbol.dispose]: () => {
      hub[Symbol.dispose]()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Plain git, as a person or an agent uses it. */
export function git(directory: string, ...parts: readonly string[]): string {
  return execFileSync('git', ['-C', directory, ...parts], {
    encoding: 'utf8',
    env: {
      PATH,
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '4',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'A Person',
      GIT_CONFIG_KEY_1: 'user.email',
      GIT_CONFIG_VALUE_1: 'person@example.com',
      GIT_CONFIG_KEY_2: 'protocol.file.allow',
      GIT_CONFIG_VALUE_2: 'always',
      GIT_CONFIG_KEY_3: 'init.defaultBranch',
      GIT_CONFIG_VALUE_3: 'main',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd()
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
}

export function commitAll(directory: string, message: string): string {
  git(directory, 'add', '--all')
  git(directory, 'commit', '--quiet', '--allow-empty', '-m', message)
  return git(directory, 'rev-parse', 'HEAD')
}

/** A repository with one commit of these files. */
export function makeRepository(
  directory: string,
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): string {
  mkdirSync(directory, { recursive: true })
  git(directory, 'init', '--quiet', ...options)
  writeFiles(directory, files)
  return commitAll(directory, 'first')
}

/** The value of a result that must be a success. */
export function succeeded<Value, Failure>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value
  throw new Error(`unexpected failure: ${JSON.stringify(result.failure)}`)
}

export function failed<Value, Failure>(result: Result<Value, Failure>): Failure {
  if (!result.ok) return result.failure
  throw new Error(`unexpected success: ${JSON.stringify(result.value)}`)
}

/** Inspects and imports HEAD of a repository: the usual beginning. */
export async function importInto(stage: HubStage, path: string): Promise<string> {
  const source = succeeded(await stage.hub.branches.inspectSource(path))
  return succeeded(await stage.hub.branches.importBase(stage.project, source, undefined)).commit
}
