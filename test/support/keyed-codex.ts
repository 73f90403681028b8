/**
 * A stand-in for `codex app-server` whose settings take its key from CRITIC_KEY. Like the real program, it fails every
 * turn without that variable, and approves what it is asked about with it.
 */
import { createInterface } from 'node:readline'

const verdict = { verdict: 'APPROVED', criteria: [{ criterion: 1, met: true, evidence: 'lines.txt' }] }
const provider = { name: 'gateway', env_key: 'CRITIC_KEY' }
const threadId = 'thread-1'

const ANSWERS: Readonly<Record<string, object>> = {
  initialize: { userAgent: 'muster/0.166.0 (Debian 12.0.0; x86_64)' },
  'account/read': { account: null, requiresOpenaiAuth: false },
  'config/read': { config: { model_provider: 'gateway', model_providers: { gateway: provider } } },
  'thread/start': { thread: { id: threadId }, model: 'large' },
  'thread/resume': { thread: { id: threadId }, model: 'large' },
  'turn/start': { turn: { id: 'turn-1', status: 'inProgress' } },
}

function turnEnd(): object {
  if (process.env['CRITIC_KEY']) {
    const items = [{ type: 'agentMessage', id: 'item-1', text: JSON.stringify(verdict) }]
    return { id: 'turn-1', status: 'completed', items }
  }
  const error = { message: 'Missing environment variable: `CRITIC_KEY`.', codexErrorInfo: 'other' }
  return { id: 'turn-1', status: 'failed', error, items: [] }
}

const print = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as { readonly id?: number; readonly method: string }
  if (id !== undefined) print({ id, result: ANSWERS[method] ?? {} })
  if (method === 'turn/start') print({ method: 'turn/completed', params: { threadId, turn: turnEnd() } })
}
