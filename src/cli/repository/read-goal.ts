import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { InputStream } from '../surroundings.ts'

type Needs = { readonly cwd: string; readonly stdin: InputStream }

const LIMIT_BYTES = 1_500_000

/**
 * The goal of a job: the words themselves, `@file` for a file's text, `-` for standard input. What is wrong with it
 * is told with the command it was given to.
 */
export async function readGoal(
  needs: Needs,
  given: string,
  command = 'muster run',
): Promise<Result<string, Problem>> {
  const read = await readText(needs, given)
  return read.ok
    ? read
    : failure({ ...read.failure, next: read.failure.next?.replaceAll('muster run', command) ?? command })
}

async function readText(needs: Needs, given: string): Promise<Result<string, Problem>> {
  if (given === '-') return readStandardInput(needs.stdin)
  if (given.startsWith('@')) return readGoalFile(resolve(needs.cwd, given.slice(1)))
  return filledGoal(given, undefined)
}

async function readGoalFile(path: string): Promise<Result<string, Problem>> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return failure(unreadable(path, 'it is not a file'))
    if (found.size > LIMIT_BYTES) return failure(tooLarge(path))
    return filledGoal(await readFile(path, 'utf8'), path)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return failure(unreadable(path, fileWords(error)))
  }
}

function fileWords(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'there is no such file'
  if (error.code === 'EACCES') return 'you may not read it'
  return error.message
}

async function readStandardInput(stdin: InputStream): Promise<Result<string, Problem>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > LIMIT_BYTES) return failure(tooLarge('standard input'))
    chunks.push(bytes)
  }
  return filledGoal(Buffer.concat(chunks).toString('utf8'), 'standard input')
}

function filledGoal(text: string, source: string | undefined): Result<string, Problem> {
  if (text.trim() !== '') return success(text)
  return failure({
    type: 'goal-empty',
    exitCode: EXIT.usage,
    message:
      source === undefined ? 'the goal is empty' : `the goal is empty: there are no words in ${source}`,
    why: 'a job needs to be told what to reach',
    next: 'muster run "make the tests pass"',
  })
}

function unreadable(path: string, why: string): Problem {
  return {
    type: 'goal-unreadable',
    exitCode: EXIT.usage,
    message: `cannot read the goal from ${path}`,
    why,
    next: 'muster run @GOAL.md with a file that is there, or the words themselves: muster run "make the tests pass"',
  }
}

function tooLarge(source: string): Problem {
  return {
    type: 'goal-too-large',
    exitCode: EXIT.usage,
    message: `the goal in ${source} is too large`,
    why: `the limit is ${LIMIT_BYTES} bytes`,
    next: 'put the details into the repository and name the file in the goal',
  }
}
