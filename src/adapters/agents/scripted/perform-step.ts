import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Step, StepName, StepValues } from './script.ts'
import { requireTreePath } from './tree-path.ts'
import { waitForFile } from './wait-for-file.ts'

/** A step that ends the play: which exit code the player leaves with. */
export class PlayOver extends Error {
  override readonly name = 'PlayOver'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`the play ends with exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

const WAIT_SECONDS = 60
const SPAM_BATCH = 1_000
const IDENTITY = ['-c', 'user.name=Scripted Agent', '-c', 'user.email=scripted@muster.invalid']

/** Does one step in the tree. Throws PlayOver when the play ends with it. */
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
  exit: (_, code) => Promise.reject(new PlayOver(code)),
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

async function runProgram(tree: string, command: readonly [string, ...string[]]): Promise<void> {
  const [program, ...rest] = command
  const child = spawn(program, rest, { cwd: tree, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new PlayOver(code ?? 1)
}

async function crash(_: string, signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal)
  // As the first process of a PID namespace it cannot be killed from inside; aborting is not a signal there.
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
