import { failure, type Result, success } from '../../domain/result.ts'
import { findProgram } from '../init/find-program.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Forge, ForgeKind } from './forge.ts'
import { runProgram } from './run-program.ts'

export type ForgeRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** Below the API's address, without a slash at its start. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

export type ForgeAnswer = { readonly status: number; readonly body: unknown }

/**
 * The way to a forge's API: with a token of the person's shell, or through the forge's own program, which has its own.
 *
 * Contract: `send` never throws and never sends twice. The failure says in words why there is no answer.
 */
export type ForgeAccess = {
  /** The variable with the token, or the program. */
  readonly name: string
  send(request: ForgeRequest): Promise<Result<ForgeAnswer, string>>
}

type Needs = Pick<Surroundings, 'environment' | 'version'> & { readonly signal: AbortSignal }

const TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
export const PROGRAMS = { github: 'gh', gitlab: 'glab' } as const satisfies Record<ForgeKind, string>

/** The names that the forges' own programs read, in their order. */
export function tokenNames({ kind, host }: Pick<Forge, 'kind' | 'host'>): readonly string[] {
  if (kind === 'gitlab') return ['GITLAB_TOKEN']
  const own = host === 'github.com' ? [] : ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN']
  return [...own, 'GH_TOKEN', 'GITHUB_TOKEN']
}

/** The first way that there is; undefined if the person has neither a token nor the program. */
export async function findAccess(needs: Needs, forge: Forge): Promise<ForgeAccess | undefined> {
  for (const name of tokenNames(forge)) {
    const token = needs.environment[name]?.trim() ?? ''
    if (token !== '') return { name, send: (request) => sendWithToken(needs, forge, token, request) }
  }
  const program = PROGRAMS[forge.kind]
  const path = await findProgram(program, needs.environment['PATH'] ?? '')
  // The programs know their hosts, but not an address that was given to this command.
  if (path === undefined || forge.isApiGiven) return undefined
  return { name: program, send: (request) => sendWithProgram(needs, forge, path, request) }
}

async function sendWithToken(
  needs: Needs,
  { kind, apiUrl }: Forge,
  token: string,
  { method, path, body }: ForgeRequest,
): Promise<Result<ForgeAnswer, string>> {
  const host = new URL(apiUrl).host
  try {
    const response = await fetch(`${apiUrl}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: kind === 'github' ? 'application/vnd.github+json' : 'application/json',
        'user-agent': `muster/${needs.version}`,
        ...(kind === 'github' ? { 'x-github-api-version': '2022-11-28' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([needs.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await readBounded(response)
    if (text === undefined) return failure(`${host} sent an answer that is too long`)
    return success({ status: response.status, body: parsed(text) })
  } catch (error) {
    return failure(`${host} could not be reached: ${reasonOf(error)}`)
  }
}

async function readBounded(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The reason of a failed connection is in the cause of the error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

const HTTP_ANSWER = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n?([\s\S]*)$/

/** `gh api` and `glab api` send any request with the log-in of the program, and print the whole answer. */
async function sendWithProgram(
  needs: Needs,
  { host }: Forge,
  program: string,
  { method, path, body }: ForgeRequest,
): Promise<Result<ForgeAnswer, string>> {
  const input = body === undefined ? [] : ['--header', 'Content-Type: application/json', '--input', '-']
  const ran = await runProgram({
    program,
    parameters: ['api', '--hostname', host, '--method', method, '--include', ...input, path],
    environment: { ...needs.environment, GH_PROMPT_DISABLED: '1', NO_PROMPT: '1', NO_COLOR: '1' },
    ...(body === undefined ? {} : { input: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    signal: needs.signal,
  })
  if (!ran.ok) return ran
  const [, status, text = ''] = HTTP_ANSWER.exec(ran.value.stdout) ?? []
  if (status !== undefined) return success({ status: Number(status), body: parsed(text) })
  const words = ran.value.stderr.trim().split('\n').slice(0, 5).join('\n')
  return failure(words === '' ? `it ended with exit code ${ran.value.code}` : words)
}

/** A forge that fails may answer with a web page; then the status has to do. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
