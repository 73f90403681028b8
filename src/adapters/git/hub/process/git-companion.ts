import { type StartProcess, startProcess } from '../../../shared/processes/start-process.ts'
import { createTurns } from './turns.ts'

export type CompanionOptions = {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Whether these bytes are the complete answer to the question. */
  readonly isWhole: (answer: Buffer, question: string) => boolean
  readonly startProcess?: StartProcess | undefined
  readonly answerTimeoutMs?: number
}

/** A git process that keeps running and answers questions. Most of the cost of a short git command is its start. */
export type Companion = Disposable & {
  /** Undefined if there is no answer, for any reason. The caller then runs git for this question. */
  readonly ask: (question: string) => Promise<Buffer | undefined>
}

const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
const ANSWER_TIMEOUT_MS = 5_000
/** Long enough to last from one landing to the next, short enough that an idle project costs nothing. */
const IDLE_MS = 5_000
/** How long to do without a git that can't be kept running: it is missing, buffers its answers, or keeps ending. */
const PAUSE_MS = 10 * 60_000
const ENDS_IN_A_ROW = 5

export function createCompanion(options: CompanionOptions): Companion {
  const inTurn = createTurns()
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let pausedUntil = 0
  let ends = 0

  function end(): void {
    clearTimeout(idle)
    running?.end()
    running = undefined
  }

  async function ask(question: string): Promise<Buffer | undefined> {
    clearTimeout(idle)
    if (performance.now() < pausedUntil) return undefined
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
    if (answered.type === 'unusable' || ends === 0) pausedUntil = performance.now() + PAUSE_MS
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
  const {
    startProcess: begin = startProcess,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
    isWhole,
    ...program
  } = options
  let answer: Buffer = Buffer.alloc(0)
  let asked = ''
  let isEnded = false
  let settle: ((answered: Answered) => void) | undefined

  function finish(answered: Answered): void {
    if (answered.type !== 'whole') {
      isEnded = true
      git.kill()
    }
    settle?.(answered)
    settle = undefined
  }

  // Git ends when its input is closed, so it also ends when the daemon is killed. While a question is open, its timer
  // keeps this process alive.
  const git = begin(
    { ...program, cwd: '/', hasInput: true, hasOutput: true, isBackground: true },
    {
      onStdout(chunk) {
        if (isEnded) return
        answer = Buffer.concat([answer, chunk])
        if (settle === undefined || answer.length > ANSWER_LIMIT_BYTES) return finish({ type: 'ended' })
        if (isWhole(answer, asked)) finish({ type: 'whole', answer })
      },
      // Standard error isn't read: the git that the caller runs instead reports the problem.
      onEnd: (end) => finish({ type: end.type === 'unstartable' ? 'unusable' : 'ended' }),
    },
  )

  return {
    ask: (question) =>
      new Promise((resolve) => {
        answer = Buffer.alloc(0)
        asked = question
        const timer = setTimeout(() => finish({ type: 'unusable' }), answerTimeoutMs)
        settle = (answered) => {
          clearTimeout(timer)
          resolve(answered)
        }
        git.write(question)
      }),
    isEnded: () => isEnded,
    end: () => finish({ type: 'ended' }),
  }
}
