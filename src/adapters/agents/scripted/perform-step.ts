import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ignoreCodes } from '../../../domain/system-error.ts'
import type { Step, StepName, StepValues } from './script.ts'
import { waitForFile } from './wait-for-file.ts'

/** Thrown by a step that ends the play with an exit code. */
export class PlayEnded extends Error {
  override readonly name = 'PlayEnded'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`the play ends with exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

const WAIT_SECONDS = 60
const SPAM_BATCH = 1_000
const IDENTITY = ['-c', 'user.name=Scripted Agent', '-c', 'user.email=scripted@muster.invalid']

/** Performs one step in the tree. Throws PlayEnded if the step ends the play. */
export async function performStep(tree: string, step: Step): Promise<void> {
  const [name, value] = Object.entries(step)[0] ?? []
  if (name === undefined || !Object.hasOwn(PERFORMERS, name)) throw new Error(`there is no step "${name}"`)
  const perform = PERFORMERS[name as StepName] as (tree: string, value: unknown) => Promise<void>
  await perform(tree, value)
}

type Performers = {
  readonly [Name in StepName]: (tree: string, value: StepValues[Name]) => Promise<void>
}

const PERFORMERS: Performers = {
  say: (_, text) => print(process.stdout, `${text}\n`),
  emit: (_, value) => print(process.stdout, `${JSON.stringify(value)}\n`),
  write: async (tree, file) => writeFile(await placeFor(tree, file.path), file.text),
  append: async (tree, file) => appendFile(await placeFor(tree, file.path), file.text),
  remove: async (tree, file) => rm(await requireTreePath(tree, file), { recursive: true }),
  commit: async (tree, message) => {
    await runProgram(tree, ['git', 'add', '-A'])
    await runProgram(tree, ['git', ...IDENTITY, 'commit', '--quiet', '-m', message])
  },
  run: runProgram,
  sleep: async (_, milliseconds) => sleep(milliseconds),
  result: (_, answer) => print(process.stdout, `${JSON.stringify({ type: 'result', ...answer })}\n`),
  'error-line': (_, text) => print(process.stderr, `${text}\n`),
  exit: (_, code) => Promise.reject(new PlayEnded(code)),
  crash,
  spam,
  'wait-for': async (tree, wait) => {
    const file = path.resolve(tree, wait.file)
    if (await waitForFile(file, wait.seconds ?? WAIT_SECONDS)) return
    throw new Error(`${file} did not appear in time`)
  },
  touch: async (_, file) => {
    await mkdir(path.dirname(file), { recursive: true })
    await appendFile(file, '')
  },
}

async function placeFor(tree: string, file: string): Promise<string> {
  const place = await requireTreePath(tree, file)
  await mkdir(path.dirname(place), { recursive: true })
  return place
}

/** The path of `file` in the tree. Throws if the path leaves the tree, through dots or a symbolic link. */
async function requireTreePath(tree: string, file: string): Promise<string> {
  const root = await realpath(tree)
  const target = path.resolve(root, file)
  const reached = isBelow(root, target) ? await realPlace(target) : undefined
  if (reached === undefined || !isBelow(root, reached)) throw new Error(`${file} leaves the working tree`)
  return target
}

function isBelow(root: string, target: string): boolean {
  return target.startsWith(`${root}${path.sep}`)
}

/** Follows the links in the existing part of a path; undefined if a link is broken. */
async function realPlace(target: string): Promise<string | undefined> {
  const missing: string[] = []
  for (let place = target; ; place = path.dirname(place)) {
    const real = await realpath(place).catch(ignoreCodes('ENOENT'))
    if (real !== undefined) return path.join(real, ...missing)
    if ((await lstat(place).catch(ignoreCodes('ENOENT'))) !== undefined) return undefined
    missing.unshift(path.basename(place))
  }
}

async function runProgram(tree: string, command: readonly [string, ...string[]]): Promise<void> {
  const [program, ...rest] = command
  const child = spawn(program, rest, { cwd: tree, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new PlayEnded(code ?? 1)
}

async function crash(_: string, signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal)
  // The first process of a PID namespace can't kill itself with a signal, so it aborts.
  process.abort()
}

async function spam(_: string, value: StepValues['spam']): Promise<void> {
  for (let line = 0; line < value.lines; line += SPAM_BATCH) {
    const count = Math.min(SPAM_BATCH, value.lines - line)
    const batch = Array.from(
      { length: count },
      (__, index) => `${value.text ?? 'spam'} ${line + index + 1}\n`,
    )
    await print(process.stdout, batch.join(''))
  }
}

function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
