import { parseJson } from '../../contract/parse-json.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Forge } from './forge.ts'
import type { ForgeAnswer, ForgeRequest } from './forge-requests.ts'
import { runProgram } from './run-program.ts'

const TIMEOUT_MS = 60_000
const QUIET = { GH_PROMPT_DISABLED: '1', NO_PROMPT: '1', NO_COLOR: '1' }
const HTTP_ANSWER = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n?([\s\S]*)$/

type Needs = Pick<Surroundings, 'environment'> & { readonly signal: AbortSignal }

/** Whether the program itself says that it has a log-in for the host that works. */
export async function isLoggedIn(
  { environment, signal }: Needs,
  { host }: Forge,
  program: string,
): Promise<boolean> {
  const ran = await runProgram({
    program,
    parameters: ['auth', 'status', '--hostname', host],
    environment: { ...environment, ...QUIET },
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  return ran.ok && ran.value.code === 0
}

/** `gh api` and `glab api` send any request with the log-in of the program, and print the whole answer. */
export async function runGhOrGlab(
  { environment, signal }: Needs,
  { host }: Forge,
  program: string,
  { method, path, body }: ForgeRequest,
): Promise<Result<ForgeAnswer, string>> {
  const input = body === undefined ? [] : ['--header', 'Content-Type: application/json', '--input', '-']
  const ran = await runProgram({
    program,
    parameters: ['api', '--hostname', host, '--method', method, '--include', ...input, path],
    environment: { ...environment, ...QUIET },
    ...(body === undefined ? {} : { input: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  if (!ran.ok) return ran
  const [, status, text = ''] = HTTP_ANSWER.exec(ran.value.stdout) ?? []
  if (status !== undefined) return success({ status: Number(status), body: parseJson(text) })
  const words = ran.value.stderr.trim().split('\n').slice(0, 5).join('\n')
  return failure(words === '' ? `it ended with exit code ${ran.value.code}` : words)
}
