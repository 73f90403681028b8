import { readFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { EXIT } from './exit-code.ts'
import { isReaderGone } from './reader-gone.ts'
import { runCli } from './run-cli.ts'
import type { OwnProcess, Surroundings } from './surroundings.ts'
import { writeProblem } from './write-problem.ts'

/** Runs the command line in this process, and exits with its exit code once all output is written. */
export async function runProcess(own: OwnProcess): Promise<void> {
  let hasLostOutput = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: Error) => {
      const problem = writeProblem(error, stream.isTTY)
      if (problem === undefined) return ignoreGoneReader(error)
      if (!hasLostOutput && stream === process.stdout)
        process.stderr.write(`error: cannot write to standard output: ${problem}\n`)
      hasLostOutput = true
    })
  }
  const words = process.argv.slice(2)
  // Asking for the version needs no directory.
  const cwd = currentDirectory() ?? (isVersion(words) ? homedir() : undefined)
  if (cwd === undefined) {
    process.stderr.write('error: the current directory no longer exists\n  try: cd ~\n')
    process.exit(EXIT.failed)
  }
  process.exitCode = await runCli(processSurroundings(own, cwd), words)
  await Promise.all([process.stdout, process.stderr].map(flushed))
  if (hasLostOutput) process.exitCode = EXIT.failed
  // A kept-alive connection or a terminal may keep the event loop running, but the command has ended.
  process.exit()
}

/** The reader is gone, but the command still finishes its work. */
function ignoreGoneReader(error: Error): void {
  if (!isReaderGone(error)) throw error
}

function isVersion([first, ...others]: readonly string[]): boolean {
  return others.length === 0 && (first === '--version' || first === '-V')
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // Somebody removed it.
    return undefined
  }
}

function processSurroundings(own: OwnProcess, cwd: string): Surroundings {
  return {
    environment: process.env,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isRoot: process.getuid?.() === 0,
    userDirectory: homedir(),
    userName: personName(process.env),
    temporaryDirectory: tmpdir(),
    version: ownVersion(),
    nodePath: process.execPath,
    program: [process.execPath, ...inheritedFlags(), process.argv[1] ?? 'muster'],
    ...own,
    now: () => new Date(),
    onSignal: (signal, listener) => {
      process.on(signal, listener)
      return { [Symbol.dispose]: () => process.off(signal, listener) }
    },
  }
}

/** A debugger's port belongs to one process. All other Node flags are passed on. */
function inheritedFlags(): readonly string[] {
  return process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
}

/** The user's name; a user ID without an entry in the user table has none. */
function personName(environment: Surroundings['environment']): string {
  try {
    return userInfo().username
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    return environment['USER'] || String(process.getuid?.() ?? 'person')
  }
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve()
    stream.write('', () => resolve())
  })
}
