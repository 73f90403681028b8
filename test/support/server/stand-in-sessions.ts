import { failure, success } from '../../../src/domain/result.ts'
import { withoutUndefined } from '../../../src/domain/without-undefined.ts'
import { ProviderError } from '../../../src/engine/providers/provider-error.ts'
import type { SessionCommands } from '../../../src/engine/sessions/session-commands.ts'
import { personalSession, sampleApproval, sampleId, sampleSession } from './sample-records.ts'

/** Records the calls for sessions. Some texts are refused, so that tests can see refusals. */
export function createStandInSessions(acts: string[]): SessionCommands {
  const act = async (name: string) => {
    acts.push(name)
    return success(sampleSession())
  }
  return {
    async create(request) {
      acts.push(`open ${JSON.stringify(request)}`)
      if (request.agent === 'broken') throw new ProviderError('codex', 'it does not answer')
      if (request.agent === 'nobody')
        return failure({ type: 'agent-unknown', agent: 'nobody', known: ['mine'] })
      return success(personalSession({ state: { type: 'starting' }, mode: request.mode }))
    },
    stop: (_, { reason, isForced }) => act(`stop ${reason} ${isForced}`),
    suspend: (sessionId, reason) =>
      sessionId === sampleId('session')
        ? act(`suspend ${reason}`)
        : Promise.resolve(failure({ type: 'session-not-found', sessionId })),
    resume: (_, prompt) => act(`resume ${prompt}`),
    async say(sessionId, text) {
      if (text === '') return failure({ type: 'input-invalid', problem: 'there is nothing to say' })
      acts.push(`say ${text}`)
      return failure({ type: 'session-not-able', sessionId, status: 'suspended', wanted: 'message' })
    },
    interrupt: async (sessionId) =>
      failure({ type: 'session-not-spoken-to', sessionId, provider: 'command' }),
    async ask(request) {
      acts.push(`ask ${JSON.stringify(request)}`)
      if (request.of.type === 'newest' && request.of.filter.role === 'gardener') {
        return failure({ type: 'no-predecessor' })
      }
      const purpose = { type: 'query', of: sampleId('session'), question: request.question } as const
      return success(
        sampleSession({
          id: sampleId('session', 2),
          purpose: {
            ...purpose,
            agent: { name: 'mine', provider: 'command', roles: [], env: [] },
            timeMs: 1,
          },
        }),
      )
    },
    async decide(approvalId, verdict, { digest, scope } = {}) {
      acts.push(`decide ${verdict.type} ${digest}${scope === undefined ? '' : ` ${scope}`}`)
      const approval = sampleApproval({ id: approvalId })
      if (approvalId !== approval.id) return failure({ type: 'approval-not-found', approvalId })
      if (digest !== undefined && digest !== approval.digest) {
        return failure({ type: 'digest-mismatch', approvalId, digest: approval.digest })
      }
      const by = 'person'
      if (verdict.type === 'allow') return success({ ...approval, state: { type: 'allowed', by } })
      return success({
        ...approval,
        state: withoutUndefined({ type: 'denied', by, reason: verdict.reason } as const),
      })
    },
    async revokeRule(ruleId) {
      acts.push(`revoke ${ruleId}`)
      return failure({ type: 'rule-not-found', ruleId })
    },
  }
}
