import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DOCUMENT_LIMITS } from '../domain/limits/document-limits.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import type { InputStream } from './surroundings.ts'

type Needs = { readonly cwd: string; readonly stdin: InputStream }

/** More than the daemon accepts, so that the daemon's error states the actual limit. */
const MESSAGE_LIMIT_BYTES = 256 * 1024

/**
 * Reads a goal: the text itself, `@file` for the text of a file, or `-` for standard input. A problem suggests the
 * command that the goal was for.
 */
export async function readGoal(
  needs: Needs,
  given: string,
  command = 'muster run',
): Promise<Result<string, Problem>> {
  if (given === '-') {
    const text = await readStandardInput(needs.stdin, DOCUMENT_LIMITS.bytes)
    return text === undefined
      ? failure(goalTooLarge('standard input'))
      : filledGoal(text, 'standard input', command)
  }
  if (given.startsWith('@')) return readGoalFile(resolve(needs.cwd, given.slice(1)), command)
  return filledGoal(given, undefined, command)
}

/** Reads a message: the text itself, or `-` for standard input. */
export async function readMessageText(
  needs: Pick<Needs, 'stdin'>,
  given: string,
): Promise<Result<string, Problem>> {
  if (given !== '-') return success(given)
  const text = await readStandardInput(needs.stdin, MESSAGE_LIMIT_BYTES)
  if (text !== undefined) return success(text)
  return failure({
    type: 'message-too-large',
    exitCode: EXIT.usage,
    message: `standard input has more than ${MESSAGE_LIMIT_BYTES} bytes`,
    next: 'put the text into a file in the repository and name the file in the message',
  })
}

/** Undefined if there is more than `limitBytes`. */
async function readStandardInput(stdin: InputStream, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limitBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readGoalFile(path: string, command: string): Promise<Result<string, Problem>> {
  const unreadable = (why: string): Result<never, Problem> =>
    failure({
      type: 'goal-unreadable',
      exitCode: EXIT.usage,
      message: `cannot read the goal from ${path}`,
      why,
      next: `${command} @GOAL.md with an existing file, or ${command} "make the tests pass"`,
    })
  try {
    const found = await stat(path)
    if (!found.isFile()) return unreadable('it is not a file')
    if (found.size > DOCUMENT_LIMITS.bytes) return failure(goalTooLarge(path))
    return filledGoal(await readFile(path, 'utf8'), path, command)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return unreadable(fileWords(error))
  }
}

function fileWords(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'the file does not exist'
  if (error.code === 'EACCES') return 'permission denied'
  return error.message
}

function filledGoal(text: string, source: string | undefined, command: string): Result<string, Problem> {
  if (text.trim() !== '') return success(text)
  return failure({
    type: 'goal-empty',
    exitCode: EXIT.usage,
    message: source === undefined ? 'the goal is empty' : `the goal is empty: ${source} contains no text`,
    next: `${command} "make the tests pass"`,
  })
}

function goalTooLarge(source: string): Problem {
  return {
    type: 'goal-too-large',
    exitCode: EXIT.usage,
    message: `the goal in ${source} is too large`,
    why: `the limit is ${DOCUMENT_LIMITS.bytes} bytes`,
    next: 'put the details into a file in the repository and name the file in the goal',
  }
}
