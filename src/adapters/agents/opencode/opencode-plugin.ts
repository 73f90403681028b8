import { RETRY_METHOD } from '../acp/acp-dialogue.ts'

/**
 * OpenCode tries a refused request again for ever and tells nobody over the protocol. This extension of it
 * tells us on its standard output, with the status and the waiting time that the model's server gave. It is
 * text because it runs inside of OpenCode and not here.
 */
export const OPENCODE_PLUGIN = `let refusal
const fetchPlainly = globalThis.fetch
globalThis.fetch = Object.assign(async (...request) => {
  const response = await fetchPlainly(...request)
  if (response.status === 429) refusal = { status: 429, isTimed: hasTime(response.headers) }
  return response
}, fetchPlainly)

const hasTime = (headers) => headers.has('retry-after') || headers.has('retry-after-ms')

const tell = (sessionId, { attempt, message, next }) => {
  const { status, isTimed } = refusal
  const resetsAt = isTimed ? new Date(next).toISOString() : undefined
  const params = { sessionId, attempt, message, status, waitMs: next - Date.now(), resetsAt }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: '${RETRY_METHOD}', params }) + '\\n')
}

export const TellRetries = async () => ({
  event: async ({ event }) => {
    if (event.type !== 'session.status') return
    const { sessionID, status } = event.properties
    if (status.type === 'retry' && refusal !== undefined) tell(sessionID, status)
    refusal = undefined
  },
})
`
