import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AttemptId, formatId, type ProjectId } from '../../../../domain/id.ts'
import type { Result } from '../../../../domain/result.ts'
import type { CollectRequest, RefusedWork, TreeRequest, UsableWork } from '../../../../ports/working-trees.ts'
import { createHub, type Hub } from '../create-hub.ts'

type Files = Readonly<Record<string, string>>

/** A hub with nothing in it yet. */
export type HubStage = Disposable & {
  readonly root: string
  readonly hub: Hub
  readonly project: ProjectId
  readonly hubDirectory: string
  /** A path for a working tree. */
  readonly treeAt: (name: string) => string
}

/** A hub with one project: a person's repository whose HEAD was imported. */
export type ProjectStage = HubStage & {
  readonly source: string
  /** The imported commit. */
  readonly base: string
  /** Where `openTree` puts its tree unless told otherwise. */
  readonly directory: string
  readonly attemptId: AttemptId
  /** Opens a tree at the base and returns its directory. */
  readonly openTree: (changes?: Partial<TreeRequest>) => Promise<string>
  /** Collects the tree, whose work must be usable. */
  readonly collect: (changes?: Partial<CollectRequest>) => Promise<UsableWork>
  /** Collects the tree, whose work must be refused. */
  readonly collectRefused: (changes?: Partial<CollectRequest>) => Promise<RefusedWork>
  /** Commits files in the hub. */
  readonly commit: (parent: string, files: Files) => Promise<string>
}

export type ProjectOptions = {
  /** Options for `git init`. */
  readonly init?: readonly string[]
  /** Changes the repository after its first commit, and commits if needed. */
  readonly prepare?: (source: string) => void
}

type Template = { readonly path: string; readonly commit: string }

const { PATH } = process.env
/** Repositories and projects that earlier tests made. Copying one is much faster than making it. */
const repositoryTemplates = new Map<string, Template>()
const projectTemplates = new Map<ProjectOptions['prepare'], Map<string, Promise<Template>>>()
let templateDirectory: string | undefined
let count = 0
const TEMPLATE_PROJECT = newId('project')

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
  return stageIn(root, newId('project'))
}

function stageIn(root: string, project: ProjectId): HubStage {
  const hubsDirectory = join(root, 'hubs')
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

/** Opens a stage whose project has one commit with these files. */
export async function openProject(
  files: Files = { a: 'a\n' },
  { init = [], prepare }: ProjectOptions = {},
): Promise<ProjectStage> {
  const key = JSON.stringify([files, init])
  const known = projectTemplates.get(prepare) ?? new Map<string, Promise<Template>>()
  const template = known.get(key) ?? makeProjectTemplate(files, init, prepare)
  projectTemplates.set(prepare, known.set(key, template))
  const root = mkdtempSync(join(tmpdir(), 'muster-hub-'))
  const { path, commit: base } = await template
  copyFolder(path, root)
  const stage = stageIn(root, TEMPLATE_PROJECT)
  const { hub, project } = stage
  const source = join(root, 'source')
  const directory = stage.treeAt('tree')
  const attemptId = newId('attempt')
  const collection = { project, attemptId, directory, base, message: 'left uncommitted' }
  return {
    ...stage,
    source,
    base,
    directory,
    attemptId,
    openTree: async (changes) => {
      const request = { project, directory, commit: base, branch: 'muster/task', ...changes }
      succeeded(await hub.trees.open(request))
      return request.directory
    },
    collect: async (changes) => {
      const collected = succeeded(await hub.trees.collect({ ...collection, ...changes }))
      if (collected.type === 'refused') throw new Error(`the work was refused: ${collected.reason}`)
      return collected
    },
    collectRefused: async (changes) => {
      const collected = succeeded(await hub.trees.collect({ ...collection, ...changes }))
      if (collected.type === 'usable') throw new Error('the work was not refused')
      return collected
    },
    commit: async (parent, changed) =>
      succeeded(await hub.commits.commitFiles(project, parent, changed, 'change')),
  }
}

async function makeProjectTemplate(
  files: Files,
  init: readonly string[],
  prepare: ProjectOptions['prepare'],
): Promise<Template> {
  const root = newTemplateDirectory()
  const stage = stageIn(root, TEMPLATE_PROJECT)
  const source = join(root, 'source')
  makeRepository(source, files, ...init)
  prepare?.(source)
  const commit = await importInto(stage, source)
  stage.hub[Symbol.dispose]()
  return { path: root, commit }
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

/** How the names of all template directories of a test run start. */
export function templatePrefix(runPid: number): string {
  return `muster-hub-templates-${runPid}-`
}

function newTemplateDirectory(): string {
  if (templateDirectory === undefined) {
    // The test run, which started this worker, removes it at the end.
    templateDirectory = mkdtempSync(join(tmpdir(), templatePrefix(process.ppid)))
  }
  return mkdtempSync(join(templateDirectory, 'template-'))
}

/** Plain git, as a person or an agent uses it. */
export function git(directory: string, ...parts: readonly string[]): string {
  return gitWithInput(directory, parts).trimEnd()
}

/** Plain git with text on its standard input. */
export function gitWithInput(directory: string, parts: readonly string[], input?: string | Buffer): string {
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
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  })
}

export function writeFiles(directory: string, files: Files): void {
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

/** Makes a repository with one commit of these files and returns the commit. */
export function makeRepository(directory: string, files: Files, ...init: readonly string[]): string {
  const key = JSON.stringify([files, init])
  const template = repositoryTemplates.get(key) ?? makeRepositoryTemplate(files, init)
  repositoryTemplates.set(key, template)
  copyFolder(template.path, directory)
  return template.commit
}

function makeRepositoryTemplate(files: Files, init: readonly string[]): Template {
  const path = newTemplateDirectory()
  git(path, 'init', '--quiet', '--template=', ...init)
  writeFiles(path, files)
  return { path, commit: commitAll(path, 'first') }
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

/** Inspects a repository and imports its HEAD. */
export async function importInto(stage: HubStage, path: string): Promise<string> {
  const source = succeeded(await stage.hub.branches.inspectSource(path))
  return succeeded(await stage.hub.branches.importBase(stage.project, source, undefined)).commit
}
