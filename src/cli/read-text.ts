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

/** What a text is for. */
type TextKind = {
  readonly noun: 'goal' | 'prompt' | 'tasks'
  /** The command that a problem suggests. */
  readonly command: string
}

/** Reads a text that an agent works from, from the file that an option names. */
export async function readNamedFile(
  { cwd }: Pick<Needs, 'cwd'>,
  file: string,
  kind: TextKind,
): Promise<Result<string, Problem>> {
  const read = await readInstructionFile(resolve(cwd, file), kind)
  if (read.ok) return read
  return failure({ ...read.failure, next: `name a file that contains the ${kind.noun}: ${kind.command}` })
}

/**
 * Reads a text that an agent works from: the text itself, `@file` for the text of a file, `@@...` for a text that begins
 * with `@`, or `-` for standard input.
 */
export async function readInstructions(
  needs: Needs,
  given: string,
  kind: TextKind,
): Promise<Result<string, Problem>> {
  if (given === '-') {
    const text = await readStandardInput(needs.stdin, DOCUMENT_LIMITS.bytes)
    return text === undefined
      ? failure(tooLarge('standard input', kind))
      : filled(text, 'standard input', kind)
  }
  if (given.startsWith('@@')) return filled(given.slice(1), undefined, kind)
  if (given.startsWith('@')) return readInstructionFile(resolve(needs.cwd, given.slice(1)), kind)
  return filled(given, undefined, kind)
}

/**
 * Reads a message: the text itself, or `-` for standard input. A message is short and may begin with a name such as
 * `@types/node`, so `@` has no meaning in it.
 */
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

async function readInstructionFile(path: string, kind: TextKind): Promise<Result<string, Problem>> {
  const { noun, command } = kind
  const unreadable = (why: string): Result<never, Problem> =>
    failure({
      type: `${noun}-unreadable`,
      exitCode: EXIT.usage,
      message: `cannot read the ${noun} from ${path}`,
      why,
      next: `${command} @${noun.toUpperCase()}.md with an existing file, or ${command} "@@..." for a text that begins with @`,
    })
  try {
    const found = await stat(path)
    if (!found.isFile()) return unreadable('it is not a file')
    if (found.size > DOCUMENT_LIMITS.bytes) return failure(tooLarge(path, kind))
    return filled(await readFile(path, 'utf8'), path, kind)
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

function filled(
  text: string,
  source: string | undefined,
  { noun, command }: TextKind,
): Result<string, Problem> {
  if (text.trim() !== '') return success(text)
  const what = noun === 'tasks' ? 'the tasks are empty' : `the ${noun} is empty`
  return failure({
    type: `${noun}-empty`,
    exitCode: EXIT.usage,
    message: source === undefined ? what : `${what}: ${source} contains no text`,
    next: `${command} "make the tests pass"`,
  })
}

function tooLarge(source: string, { noun }: TextKind): Problem {
  return {
    type: `${noun}-too-large`,
    exitCode: EXIT.usage,
    message:
      noun === 'tasks' ? `the tasks in ${source} are too large` : `the ${noun} in ${source} is too large`,
    why: `the limit is ${DOCUMENT_LIMITS.bytes} bytes`,
    next: `put the details into a file in the repository and name the file in the ${noun}`,
  }
}
