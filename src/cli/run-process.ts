import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { personName } from './person-name.ts'
import { isReaderGone } from './reader-gone.ts'
import { runCli } from './run-cli.ts'
import type { Serve, Surroundings } from './surroundings.ts'

/** Runs the command line in this process and leaves with its exit code once all output is written. */
export async function runProcess(serve: Serve): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreGoneReader)
  process.exitCode = await runCli(processSurroundings(serve), process.argv.slice(2))
  await Promise.all([process.stdout, process.stderr].map(flushed))
  // Something may still hold the event loop (a kept-alive connection, a terminal): the command is over.
  process.exit()
}

/** Whoever read has left; what is still to be done is done all the same. */
function ignoreGoneReader(error: Error): void {
  if (!isReaderGone(error)) throw error
}

function processSurroundings(serve: Serve): Surroundings {
  return {
    environment: process.env,
    cwd: process.cwd(),
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
    serve,
    now: () => new Date(),
    onSignal: (signal, listener) => {
      process.on(signal, listener)
      return { [Symbol.dispose]: () => process.off(signal, listener) }
    },
  }
}

/** A debugger's port belongs to one process; every other flag of Node is passed on. */
function inheritedFlags(): readonly string[] {
  return process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
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
