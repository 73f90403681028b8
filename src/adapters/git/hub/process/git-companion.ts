import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { killGroup } from './run-git.ts'
import { createTurns } from './turns.ts'

export type CompanionOptions = {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Whether this is all of git's answer to the question. */
  readonly isWhole: (answer: Buffer, question: string) => boolean
}

/** A git that stays and answers one question after the other: most of what a short git costs is its start. */
export type Companion = Disposable & {
  /** Nothing when it could not answer, for whatever reason: then git has to be run for this question alone. */
  readonly ask: (question: string) => Promise<Buffer | undefined>
}

const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
const ANSWER_LIMIT_MS = 5_000
/** Long enough for one landing after the other, short enough that an idle project costs nothing. */
const IDLE_MS = 5_000
/** After a git that cannot be kept running here: it is missing, holds its answers back, or ends again and again. */
const REST_MS = 10 * 60_000
const ENDS_IN_A_ROW = 5

export function createCompanion(options: CompanionOptions): Companion {
  const inTurn = createTurns()
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let restUntil = 0
  let ends = 0

  function end(): void {
    clearTimeout(idle)
    running?.end()
    running = undefined
  }

  async function ask(question: string): Promise<Buffer | undefined> {
    clearTimeout(idle)
    if (performance.now() < restUntil) return undefined
    if (running?.isEnded() === true) end()
    running ??= start(options)
    const answered = await running.ask(question)
    if (answered.type === 'whole') {
      idle = setTimeout(end, IDLE_MS).unref()
      ends = 0
      return answered.answer
    }
    end()
    ends = (ends + 1) % ENDS_IN_A_ROW
    if (answered.type === 'unusable' || ends === 0) restUntil = performance.now() + REST_MS
    return undefined
  }

  return { ask: (question) => inTurn('ask', () => ask(question)), [Symbol.dispose]: end }
}

type Answered =
  | { readonly type: 'whole'; readonly answer: Buffer }
  | { readonly type: 'ended' }
  | { readonly type: 'unusable' }

type Running = {
  readonly ask: (question: string) => Promise<Answered>
  readonly isEnded: () => boolean
  readonly end: () => void
}

function start(options: CompanionOptions): Running {
  const child = spawn(options.command, options.arguments, {
    cwd: '/',
    env: options.environment,
    // A terminal's Ctrl-C is not for it. It ends with its input, so also when the daemon is killed.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let answer: Buffer = Buffer.alloc(0)
  let asked = ''
  let isEnded = false
  let settle: ((answered: Answered) => void) | undefined

  function finish(answered: Answered): void {
    if (answered.type !== 'whole') {
      isEnded = true
      // One that has ended has given its number back.
      if (child.exitCode === null && child.signalCode === null) killGroup(child)
      child.stdout.destroy()
    }
    settle?.(answered)
    settle = undefined
  }

  child.on('error', () => finish({ type: 'unusable' }))
  child.on('close', () => finish({ type: 'ended' }))
  // A write to a git that has ended: its end is reported by itself.
  child.stdin.on('error', () => undefined)
  // Why it gives up is told by the git that is run instead.
  child.stderr.resume()
  child.stdout.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk])
    if (settle === undefined || answer.length > ANSWER_LIMIT_BYTES) return finish({ type: 'ended' })
    if (options.isWhole(answer, asked)) finish({ type: 'whole', answer })
  })
  stayInBackground(child)

  return {
    ask: (question) =>
      new Promise((resolve) => {
        answer = Buffer.alloc(0)
        asked = question
        const timer = setTimeout(() => finish({ type: 'unusable' }), ANSWER_LIMIT_MS)
        settle = (answered) => {
          clearTimeout(timer)
          resolve(answered)
        }
        child.stdin.write(question)
      }),
    isEnded: () => isEnded,
    end: () => finish({ type: 'ended' }),
  }
}

/** Nothing of it keeps our process alive; a question does, by its time limit. */
function stayInBackground(child: ChildProcessWithoutNullStreams): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
