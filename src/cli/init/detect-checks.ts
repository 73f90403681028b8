import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { committedFiles } from './committed-files.ts'

const LIMIT_BYTES = 1_000_000
const NPM_PLACEHOLDER = /no test specified/
// Scripts worth running before something lands, in the order in which they should fail.
const SCRIPT_NAMES = ['lint', 'typecheck', 'type-check', 'check', 'test'] as const
const NPM: PackageRunner = { name: 'npm', install: 'npm ci', unlocked: 'npm install --no-package-lock' }
const BUN: PackageRunner = {
  name: 'bun',
  install: 'bun install --frozen-lockfile',
  unlocked: 'bun install --no-save',
}
const PNPM: PackageRunner = {
  name: 'pnpm',
  install: 'pnpm install --frozen-lockfile',
  unlocked: 'pnpm install --no-frozen-lockfile',
}
const YARN: PackageRunner = { name: 'yarn', install: 'yarn install --immutable', unlocked: 'yarn install' }
const LOCK_FILES: readonly (readonly [file: string, runner: PackageRunner])[] = [
  ['pnpm-lock.yaml', PNPM],
  ['yarn.lock', YARN],
  ['bun.lock', BUN],
  ['bun.lockb', BUN],
  ['package-lock.json', NPM],
  ['npm-shrinkwrap.json', NPM],
]

/** An install is needed because agents and checks run in fresh trees without packages. */
type PackageRunner = {
  readonly name: string
  /** Installs exactly what the lock file names. */
  readonly install: string
  /** Installs without a committed lock file and, where the program can, without writing one. */
  readonly unlocked: string
}

export type Detected = {
  /** Commands that prepare a fresh tree. */
  readonly setup: readonly string[]
  readonly checks: readonly string[]
  /** A lock file that setup doesn't use, because it isn't committed and no agent will ever see it. */
  readonly uncommittedLock?: string
}

/** Guesses the commands that check this repository from the files at its root. */
export async function detectChecks(
  repository: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Detected> {
  const [scripts, make, cargo, go, python] = await Promise.all([
    packageChecks(repository, environment),
    makeChecks(repository),
    isFile(join(repository, 'Cargo.toml')),
    isFile(join(repository, 'go.mod')),
    usesPytest(repository),
  ])
  const found = [...scripts.checks]
  if (cargo) found.push('cargo test')
  if (go) found.push('go vet ./...', 'go test ./...')
  if (python) found.push('python -m pytest -q')
  // A Makefile usually calls the other tools, so its targets count only if nothing else was found.
  return { ...scripts, checks: found.length === 0 ? make : found }
}

async function packageChecks(
  repository: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Detected> {
  const scripts = readScripts(await readSmall(join(repository, 'package.json')))
  const { runner, install, uncommittedLock } = await packageInstall(repository, environment)
  const checks = SCRIPT_NAMES.filter((name) => {
    const script = scripts[name]
    return typeof script === 'string' && script !== '' && !NPM_PLACEHOLDER.test(script)
  }).map((name) => scriptCommand(runner, name))
  if (checks.length === 0) return { setup: [], checks }
  return { setup: [install], checks, ...(uncommittedLock === undefined ? {} : { uncommittedLock }) }
}

/** `bun test` is Bun's own test runner, not the script. */
function scriptCommand({ name: runner }: PackageRunner, script: string): string {
  return script === 'test' && runner !== 'bun' ? `${runner} test` : `${runner} run ${script}`
}

function readScripts(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> }
    return scripts ?? {}
  } catch {
    // There is no package.json, or npm could not read it either.
    return {}
  }
}

type PackageInstall = Pick<Detected, 'uncommittedLock'> & {
  readonly runner: PackageRunner
  readonly install: string
}

/** A committed lock file decides. One that is only in the checkout still shows which program the project uses. */
async function packageInstall(
  repository: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PackageInstall> {
  const names = LOCK_FILES.map(([file]) => file)
  const committed = await committedFiles(repository, names, environment)
  const present = await Promise.all(names.map((file) => isFile(join(repository, file))))
  const locks = LOCK_FILES.filter(([file], index) => committed?.has(file) ?? present[index])
  const [locked] = locks
  if (locked !== undefined) return { runner: locked[1], install: locked[1].install }
  const [file, runner] = LOCK_FILES.find((_, index) => present[index]) ?? []
  if (file === undefined || runner === undefined) return { runner: NPM, install: NPM.unlocked }
  return { runner, install: runner.unlocked, uncommittedLock: file }
}

async function makeChecks(repository: string): Promise<readonly string[]> {
  const texts = await Promise.all(
    ['GNUmakefile', 'makefile', 'Makefile'].map((name) => readSmall(join(repository, name))),
  )
  const text = texts.join('\n')
  return ['check', 'test']
    .filter((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text))
    .map((target) => `make ${target}`)
}

async function usesPytest(repository: string): Promise<boolean> {
  if ((await isFile(join(repository, 'pytest.ini'))) || (await isFile(join(repository, 'conftest.py'))))
    return true
  const [project, setup, tox] = await Promise.all(
    ['pyproject.toml', 'setup.cfg', 'tox.ini'].map((name) => readSmall(join(repository, name))),
  )
  return (
    /^\[tool\.pytest/m.test(project ?? '') ||
    /^\[tool:pytest\]/m.test(setup ?? '') ||
    /^\[pytest\]/m.test(tox ?? '')
  )
}

/** The text of a file; empty if it is missing, unreadable or too large. */
async function readSmall(path: string): Promise<string> {
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : LIMIT_BYTES + 1),
    () => LIMIT_BYTES + 1,
  )
  return size > LIMIT_BYTES ? '' : readFile(path, 'utf8').catch(() => '')
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
