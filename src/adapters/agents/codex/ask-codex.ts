import { execa } from 'execa'
import { parseJsonObject } from '../shared/parse-json-object.ts'
import { quietArguments } from './codex-launch.ts'
import { GREETING_ID, greetedLine, greetingLine } from './codex-lines.ts'

const PATIENCE_MS = 15_000

export type CodexQuestion = { readonly method: string; readonly params: object }
type Program = {
  readonly command: readonly [string, ...string[]]
  /** Absent: the daemon's own. */
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Starts an app-server, asks it these questions and returns its answers in the same order, after its answer to our
 * greeting. There are fewer answers if it stops or takes too long.
 */
export async function askCodex(
  { command: [name, ...words], environment }: Program,
  questions: readonly CodexQuestion[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const child = execa(name, [...words, 'app-server', ...quietArguments()], {
    ...(environment === undefined ? {} : { env: { ...environment }, extendEnv: false }),
    cwd: '/',
    timeout: PATIENCE_MS,
    reject: false,
    buffer: false,
    stdin: 'pipe',
    stderr: 'ignore',
  })
  // The program may have exited already. Then there are no answers.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${greetingLine()}\n`)
  const answers: Readonly<Record<string, unknown>>[] = []
  for await (const line of child) {
    const message = parseJsonObject(line)
    if (message?.['id'] !== GREETING_ID + answers.length) continue
    answers.push(message)
    const next = questions[answers.length - 1]
    if (answers.length === 1) child.stdin.write(`${greetedLine()}\n`)
    // The program exits when its input ends.
    if (next === undefined) child.stdin.end()
    else child.stdin.write(`${JSON.stringify({ id: GREETING_ID + answers.length, ...next })}\n`)
  }
  return answers
}
