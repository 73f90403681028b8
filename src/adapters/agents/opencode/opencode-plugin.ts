import { RETRY_METHOD } from '../acp/acp-dialogue.ts'

/**
 * OpenCode retries a refused request forever and doesn't report it over the protocol, and its final error doesn't say
 * what the model's server answered. This plugin reports both on standard output, with the status (0 if no answer came)
 * and the waiting time from the model's server. It's text because it runs in OpenCode.
 */
export const OPENCODE_PLUGIN = `let refusal
const originalFetch = globalThis.fetch
globalThis.fetch = Object.assign(async (...request) => {
  if (!isModelRequest(request)) return originalFetch(...request)
  refusal = undefined
  try {
    const response = await originalFetch(...request)
    const { status } = response
    if ([401, 403, 429].includes(status)) refusal = { status, isTimed: hasTime(response.headers) }
    return response
  } catch (error) {
    if (error?.name !== 'AbortError') refusal = { status: 0, isTimed: false }
    throw error
  }
}, originalFetch)

const isModelRequest = ([input, init]) => (init?.method ?? input?.method ?? 'GET').toUpperCase() === 'POST'
const hasTime = (headers) => headers.has('retry-after') || headers.has('retry-after-ms')
const FINAL = 1000

const report = (sessionId, { attempt, message, next }) => {
  const { status, isTimed } = refusal
  const resetsAt = isTimed ? new Date(next).toISOString() : undefined
  const params = { sessionId, attempt, message, status, waitMs: next - Date.now(), resetsAt }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: '${RETRY_METHOD}', params }) + '\\n')
}

export const ReportRetries = async () => ({
  event: async ({ event }) => {
    const { sessionID, status } = event.properties
    if (event.type === 'session.error' && refusal !== undefined && refusal.status !== 429) {
      report(sessionID, { attempt: FINAL, message: '', next: Date.now() })
    }
    if (event.type !== 'session.status') return
    if (status.type === 'retry' && refusal !== undefined) report(sessionID, status)
    refusal = undefined
  },
})
`
