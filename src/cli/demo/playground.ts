import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Surroundings } from '../surroundings.ts'
import { FIRST_FILES, type FileTree } from './demo-files.ts'
import { DEMO_AGENTS, DEMO_PLANNER, demoScript } from './demo-script.ts'

const execute = promisify(execFile)
const COMMAND_TIMEOUT_MS = 30_000
// The database's socket is in this directory, and the length of socket paths is limited.
const LONGEST_BASE = 48

/** What a playground is filled with. */
export type PlaygroundPlan = {
  readonly prefix: string
  /** The name of the repository's folder. */
  readonly repository: string
  /** Of its first commit. */
  readonly message: string
  /** The files of its first commit, and those beside it. */
  readonly filesIn: (directory: string) => { readonly repository: FileTree; readonly beside: FileTree }
}

export const DEMO: PlaygroundPlan = {
  prefix: 'muster-demo-',
  repository: 'pocket-tally',
  message: 'Add small sums, some of them wrong',
  filesIn: (directory) => ({
    repository: { ...FIRST_FILES, 'muster.yaml': demoConfiguration(join(directory, 'agents.json')) },
    beside: { 'agents.json': JSON.stringify(demoScript(directory), undefined, 2) },
  }),
}

/** A temporary directory with a repository, a home and a script for the agents. */
export type Playground = {
  readonly directory: string
  readonly home: string
  readonly repository: string
  remove(): Promise<void>
}

export async function makePlayground(
  needs: Pick<Surroundings, 'temporaryDirectory' | 'isRoot'>,
  plan: PlaygroundPlan,
): Promise<Playground> {
  const parent = needs.temporaryDirectory.length > LONGEST_BASE ? '/tmp' : needs.temporaryDirectory
  const directory = await mkdtemp(join(parent, plan.prefix))
  const playground: Playground = {
    directory,
    home: join(directory, 'home'),
    repository: join(directory, plan.repository),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
  try {
    // As root, the database runs as another user, who must be able to enter the directory.
    await chmod(directory, needs.isRoot ? 0o711 : 0o700)
    await mkdir(playground.home, { mode: needs.isRoot ? 0o711 : 0o700 })
    await fill(playground, plan)
    return playground
  } catch (error) {
    await playground.remove()
    throw error
  }
}

async function fill({ directory, repository }: Playground, plan: PlaygroundPlan): Promise<void> {
  const files = plan.filesIn(directory)
  await writeTree(directory, files.beside)
  await writeTree(repository, files.repository)
  await git(repository, ['init', '--quiet', '--initial-branch=main'])
  await git(repository, ['add', '--all'])
  await git(repository, ['commit', '--quiet', '--message', plan.message])
}

async function writeTree(root: string, files: FileTree): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

function demoConfiguration(script: string): string {
  const agent = (name: string, role: string) =>
    `  ${name}: { provider: scripted, script: ${JSON.stringify(script)}, roles: [${role}] }`
  return [
    'version: 1',
    'checks: ["node --test"]',
    '# The agents synchronise with a file outside their trees, so that the order is the same everywhere.',
    'sandbox: { level: none }',
    'agents:',
    ...DEMO_AGENTS.map((name) => agent(name, 'worker')),
    agent(DEMO_PLANNER, 'planner'),
    `planner: { agent: ${DEMO_PLANNER} }`,
    'limits: { parallel: 3, attemptMinutes: 2, maxCycles: 4 }',
    '',
  ].join('\n')
}

/** Runs git with a fixed identity and date, and without the person's configuration. */
export async function git(directory: string, commandArguments: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', directory, ...commandArguments], {
    timeout: COMMAND_TIMEOUT_MS,
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Demo',
      GIT_AUTHOR_EMAIL: 'demo@muster.invalid',
      GIT_COMMITTER_NAME: 'Demo',
      GIT_COMMITTER_EMAIL: 'demo@muster.invalid',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  })
  return stdout
}
