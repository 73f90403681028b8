import { parseJson } from '../../contract/parse-json.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Forge } from './forge.ts'
import type { ForgeAnswer, ForgeRequest } from './forge-requests.ts'

const TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** Sends a request over HTTP with a token of the person's shell. */
export async function callForgeApi(
  { version, signal }: Pick<Surroundings, 'version'> & { readonly signal: AbortSignal },
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
        'user-agent': `muster/${version}`,
        ...(kind === 'github' ? { 'x-github-api-version': '2022-11-28' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await readBounded(response)
    if (text === undefined) return failure(`${host} sent an answer that is too long`)
    // A forge that fails may answer with a web page; then the status has to do.
    return success({ status: response.status, body: parseJson(text) })
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
