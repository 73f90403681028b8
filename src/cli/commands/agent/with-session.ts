import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentClient, connectAgent } from '../../../client/agent-calls.ts'
import type { ApiError } from '../../../client/index.ts'
import { failure, type Result } from '../../../domain/result.ts'
import type { CommandNeeds } from '../../command-needs.ts'
import { EXIT } from '../../exit-code.ts'
import type { Outcome } from '../../problem.ts'

/** One request; tried again for a while when the daemon is not there, as when it is being restarted. */
export type SessionCall = <Data>(
  ask: (client: AgentClient) => Promise<Result<Data, ApiError>>,
) => Promise<Result<Data, ApiError>>

const TRIES = 6
const FIRST_REST_MS = 250

/** Runs `work` with the daemon that started this session; never starts one and needs no home. */
export async function withSession(
  needs: Pick<CommandNeeds, 'surroundings'>,
  work: (call: SessionCall) => Promise<Outcome>,
): Promise<Outcome> {
  const { MUSTER_URL: url = '', MUSTER_TOKEN: token = '' } = needs.surroundings.environment as Readonly<
    Partial<Record<'MUSTER_URL' | 'MUSTER_TOKEN', string>>
  >
  if (!URL.canParse(url) || token === '') {
    return failure({
      type: 'not-in-session',
      exitCode: EXIT.usage,
      message: 'this command works only inside a session that Muster started',
      why: `${token === '' ? 'MUSTER_TOKEN' : 'MUSTER_URL'} is not set`,
      next: 'muster messages',
    })
  }
  const client = connectAgent({ url, token })
  return await work((ask) => patiently(() => ask(client)))
}

async function patiently<Data>(ask: () => Promise<Result<Data, ApiError>>): Promise<Result<Data, ApiError>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask()
    const isAway = !answer.ok && (answer.failure.status === 0 || answer.failure.status === 503)
    if (!isAway || tries === TRIES) return answer
    await sleep(FIRST_REST_MS * 2 ** (tries - 1))
  }
}
