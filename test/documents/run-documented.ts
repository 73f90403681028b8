import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { runCli } from '../../src/cli/run-cli.ts'
import { testSurroundings } from '../../src/cli/testing/test-surroundings.ts'
import { bundledProgram } from '../support/bundled-program.ts'
import { until } from '../support/test-daemon.ts'
import type { DocumentedCommand } from './documented-commands.ts'
import { type Placeholder, withIds } from './placeholders.ts'

/** Where and how one command runs, and what it must do. */
export type Scene = {
  readonly cwd: string
  readonly ids?: Readonly<Partial<Record<Placeholder, string>>>
  readonly environment?: Readonly<Record<string, string>>
  /** The exit code, 0 unless it is given. */
  readonly code?: number
  /** What the output contains. */
  readonly shows?: string
  /** For a command that goes on until it is interrupted: interrupts it as soon as this is shown. */
  readonly interruptAt?: string
  /** For a command that needs a terminal: types the keys as soon as the text is shown. */
  readonly terminal?: { readonly at: string; readonly keys: string }
  /** Commands that the document shows afterwards, and that belong to this one. */
  readonly followedBy?: string
  /** What others do while the command runs. */
  readonly meanwhile?: () => Promise<unknown>
}

type Environment = Readonly<Record<string, string>> & { readonly HOME: string }

export type Ran = { readonly code: number | undefined; readonly output: string }

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const { version: VERSION } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))

/** A single call of `muster` runs in this process, because a process for each command would take a minute. */
const SINGLE_CALL = /^muster [^|<>&;$~]*$/

/** Runs a documented command as a person's shell would, with the IDs of real records. */
export async function runDocumented(
  command: DocumentedCommand,
  scene: Scene,
  person: Environment,
): Promise<Ran> {
  const text = withIds([...command.prelude, command.text].join('\n'), scene.ids ?? {})
    .replaceAll('/home/me/project', scene.cwd)
    .concat(scene.followedBy === undefined ? '' : `\n${scene.followedBy}`)
  const environment = { ...definedVariables(), ...person, ...scene.environment }
  const given = { text, scene, environment }
  const isSingle = SINGLE_CALL.test(command.text) && !/ (serve|restore)\b/.test(command.text)
  const running =
    scene.terminal !== undefined ? inTerminal(given) : isSingle ? inProcess(given) : inShell(given)
  const [ran] = await Promise.all([running, scene.meanwhile?.()])
  return ran
}

type Given = {
  readonly text: string
  readonly scene: Scene
  readonly environment: Environment
}

/** The shell splits the words, and expands what has to be expanded. */
async function inProcess({ text, scene, environment }: Given): Promise<Ran> {
  const script = `muster() { printf '%s\\0' "$PWD" "$@"; }\n${text}`
  const { stdout } = await run('/bin/sh', ['-ec', script], { cwd: scene.cwd, env: environment })
  const [cwd = scene.cwd, ...words] = stdout.split('\0').slice(0, -1)
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  stdin.end()
  const surroundings = testSurroundings({
    environment,
    cwd,
    stdin,
    userDirectory: environment.HOME,
    temporaryDirectory: environment.HOME,
    program: [process.execPath, await bundledProgram()],
    version: VERSION,
  })
  const output = () => surroundings.stdoutText() + surroundings.stderrText()
  const ended = runCli(surroundings, words)
  if (scene.interruptAt !== undefined) {
    const { interruptAt } = scene
    await Promise.race([ended, until(() => output().includes(interruptAt))])
    surroundings.send('SIGINT')
  }
  const code = await ended
  return { code, output: output() }
}

async function inShell({ text, scene, environment }: Given): Promise<Ran> {
  const child = spawn('/bin/sh', ['-ec', text], {
    cwd: scene.cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const closed = once(child, 'close')
  if (scene.interruptAt !== undefined) {
    const { interruptAt } = scene
    await Promise.race([closed, until(() => output.includes(interruptAt))])
    interruptGroup(child)
  }
  await closed
  return { code: child.exitCode ?? undefined, output }
}

/** As a terminal does at Ctrl-C. */
function interruptGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGINT')
}

async function inTerminal({ text, scene, environment }: Given): Promise<Ran> {
  const { terminal } = scene
  const pty = spawnTerminal('/bin/sh', ['-ec', text], {
    cols: 80,
    rows: 24,
    cwd: scene.cwd,
    env: { ...environment, TERM: 'xterm-256color' },
  })
  let output = ''
  let code: number | undefined
  pty.onData((data) => {
    output += data
  })
  pty.onExit(({ exitCode }) => {
    code = exitCode
  })
  await until(() => code !== undefined || output.includes(terminal?.at ?? ''))
  if (code === undefined) pty.write(terminal?.keys ?? '')
  await until(() => code !== undefined)
  return { code, output }
}

function definedVariables(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
