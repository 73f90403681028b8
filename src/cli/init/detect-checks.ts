import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const LIMIT_BYTES = 1_000_000
const NPM_PLACEHOLDER = /no test specified/
// Scripts worth running before something lands, in the order in which they should fail.
const SCRIPT_NAMES = ['lint', 'typecheck', 'type-check', 'check', 'test'] as const
const NPM_WITH_LOCK: PackageRunner = { name: 'npm', install: 'npm ci' }
const NPM_WITHOUT_LOCK: PackageRunner = { name: 'npm', install: 'npm install' }
const BUN: PackageRunner = { name: 'bun', install: 'bun install --frozen-lockfile' }
const LOCK_FILES: readonly (readonly [file: string, runner: PackageRunner])[] = [
  ['pnpm-lock.yaml', { name: 'pnpm', install: 'pnpm install --frozen-lockfile' }],
  ['yarn.lock', { name: 'yarn', install: 'yarn install --immutable' }],
  ['bun.lock', BUN],
  ['bun.lockb', BUN],
  ['package-lock.json', NPM_WITH_LOCK],
  ['npm-shrinkwrap.json', NPM_WITH_LOCK],
]

/** `install` brings in the packages: agents and checks work in fresh trees, where there are none. */
type PackageRunner = { readonly name: string; readonly install: string }

export type Detected = {
  /** What makes a fresh tree ready to be worked and checked in. */
  readonly setup: readonly string[]
  readonly checks: readonly string[]
}

/** The commands that tell whether this repository is sound, guessed from the files at its root. */
export async function detectChecks(repository: string): Promise<Detected> {
  const [scripts, make, cargo, go, python] = await Promise.all([
    packageChecks(repository),
    makeChecks(repository),
    isFile(join(repository, 'Cargo.toml')),
    isFile(join(repository, 'go.mod')),
    usesPytest(repository),
  ])
  const found = [...scripts.checks]
  if (cargo) found.push('cargo test')
  if (go) found.push('go vet ./...', 'go test ./...')
  if (python) found.push('python -m pytest -q')
  // A Makefile in front of another tool usually calls that tool: its targets count only when alone.
  return { setup: scripts.setup, checks: found.length === 0 ? make : found }
}

async function packageChecks(repository: string): Promise<Detected> {
  const scripts = readScripts(await readSmall(join(repository, 'package.json')))
  const runner = await packageRunner(repository)
  const checks = SCRIPT_NAMES.filter((name) => {
    const script = scripts[name]
    return typeof script === 'string' && script !== '' && !NPM_PLACEHOLDER.test(script)
  }).map((name) => scriptCommand(runner, name))
  return { setup: checks.length === 0 ? [] : [runner.install], checks }
}

/** Bun has a test runner of its own behind `bun test`. */
function scriptCommand({ name: runner }: PackageRunner, script: string): string {
  return script === 'test' && runner !== 'bun' ? `${runner} test` : `${runner} run ${script}`
}

function readScripts(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> }
    return scripts ?? {}
  } catch {
    // No package.json, or one that npm could not read either: nothing to detect in it.
    return {}
  }
}

async function packageRunner(repository: string): Promise<PackageRunner> {
  for (const [file, runner] of LOCK_FILES) {
    if (await isFile(join(repository, file))) return runner
  }
  return NPM_WITHOUT_LOCK
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

/** The text of a file, or nothing of one that is absent, unreadable or too large to be what we look for. */
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
