/** Installs the agent programs for `npm run test:agents`, at fixed versions and outside this package. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { takeHomeLock } from '../src/daemon/home-lock.ts'

type Program = {
  readonly name: string
  readonly package: string
  readonly version: string
  /** Where npm may put the program, best first. If npm runs no install scripts, a link in `.bin` may not work. */
  readonly places: readonly string[]
}

const run = promisify(execFile)

const MACHINE = `${process.platform}-${process.arch}`
const PROGRAMS: readonly Program[] = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    places: ['.bin/claude', `@anthropic-ai/claude-code-${MACHINE}/claude`],
  },
  { name: 'codex', package: '@openai/codex', version: '0.166.0', places: ['.bin/codex'] },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    places: [
      '.bin/opencode',
      `opencode-${MACHINE}/bin/opencode`,
      `opencode-${MACHINE}-baseline/bin/opencode`,
    ],
  },
  { name: 'gemini', package: '@google/gemini-cli', version: '0.61.0', places: ['.bin/gemini'] },
]
const INSTALL_TIMEOUT_MS = 15 * 60_000
const VERSION_TIMEOUT_MS = 60_000
const LOCK_RETRY_MS = 200

/** The directory with all the programs. Installs them first if they are missing. */
export async function agentsBin(): Promise<string> {
  const base = cacheDirectory()
  const target = join(base, digestOfVersions())
  const bin = join(target, 'bin')
  if (await exists(bin)) return bin
  await mkdir(base, { recursive: true })
  using _lock = await takeLock(join(base, 'lock'), AbortSignal.timeout(INSTALL_TIMEOUT_MS))
  if (await exists(bin)) return bin
  await removeLeftovers(base)
  const temporary = await mkdtemp(join(base, 'installing-'))
  try {
    await install(temporary)
    await rename(temporary, target)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return bin
}

function cacheDirectory(): string {
  const chosen = process.env['MUSTER_AGENTS_CACHE']
  if (chosen !== undefined && chosen !== '') return chosen
  const caches = process.env['XDG_CACHE_HOME']
  return join(caches === undefined || caches === '' ? join(homedir(), '.cache') : caches, 'muster', 'agents')
}

/** Each set of versions and each kind of machine gets its own directory, so a cache never mixes two of them. */
function digestOfVersions(): string {
  return createHash('sha256')
    .update(JSON.stringify([MACHINE, PROGRAMS]))
    .digest('hex')
    .slice(0, 16)
}

async function takeLock(path: string, signal: AbortSignal): Promise<Disposable> {
  for (;;) {
    const lock = takeHomeLock(path)
    if (lock !== undefined) return lock
    await sleep(LOCK_RETRY_MS, undefined, { signal })
  }
}

/** Removes what killed runs left behind. This process holds the lock, so no one else is installing. */
async function removeLeftovers(base: string): Promise<void> {
  const left = (await readdir(base)).filter((name) => name.startsWith('installing-'))
  for (const name of left) await rm(join(base, name), { recursive: true, force: true })
}

async function install(directory: string): Promise<void> {
  const manifest = {
    name: 'agents',
    private: true,
    dependencies: Object.fromEntries(PROGRAMS.map((program) => [program.package, program.version])),
    allowScripts: Object.fromEntries(PROGRAMS.map((program) => [program.package, true])),
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2))
  const npmArguments = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel', 'error']
  await run('npm', npmArguments, { cwd: directory, env: environment(), timeout: INSTALL_TIMEOUT_MS })
  await mkdir(join(directory, 'bin'))
  for (const program of PROGRAMS) {
    const place = await findWorking(directory, program)
    await symlink(join('..', 'node_modules', place), join(directory, 'bin', program.name))
  }
}

/** npm picks older versions of packages if the first Node in PATH is too old for them, so ours comes first. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  }
}

async function findWorking(directory: string, program: Program): Promise<string> {
  const problems: string[] = []
  for (const place of program.places) {
    const printed = await versionOf(join(directory, 'node_modules', place))
    if (printed.includes(program.version)) return place
    problems.push(`${place}: ${printed}`)
  }
  throw new Error(`${program.package}@${program.version} does not run:\n${problems.join('\n')}`)
}

async function versionOf(path: string): Promise<string> {
  try {
    const { stdout } = await run(path, ['--version'], { env: environment(), timeout: VERSION_TIMEOUT_MS })
    return stdout.trim()
  } catch (error) {
    // Another place may work. If none does, the final error quotes this one.
    return String(error)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

if (process.argv[1] === import.meta.filename) {
  const bin = await agentsBin()
  for (const { name, version } of PROGRAMS) process.stdout.write(`${name} ${version} ${join(bin, name)}\n`)
}
