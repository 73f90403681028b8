import type { WireApproval } from '../../client/index.ts'
import type { WireEvent, WireEventOf } from '../../contract/event.ts'
import { describeUnready } from '../../domain/agent/unready.ts'
import { describeAction } from '../../domain/approval/describe-action.ts'
import { safeLine, visibleLine } from '../render/text/safe-text.ts'

/** Something that continues only when the person answers. */
export type PersonWait =
  | {
      readonly type: 'approval'
      readonly id: string
      /** The action that the person is shown. A key applies to this action and no other. */
      readonly digest: string
      readonly asks: WireApproval['action']['type']
      readonly words: string
    }
  | {
      readonly type: 'question'
      readonly id: string
      /** The session that asked. Once it has ended, no one waits for the answer. */
      readonly from: string
      readonly words: string
    }
  /** The base of the job fails its checks. `id` is the job's. */
  | {
      readonly type: 'base'
      readonly id: string
      /** Whether setup fails. Then no agent could start, so the job can't continue on this base. */
      readonly isSetup: boolean
      readonly words: string
    }
  /** Programs of the job can't work until the person logs in or updates them. `id` is the job's. */
  | {
      readonly type: 'unready'
      readonly id: string
      /** The sessions that wait for the same thing. */
      readonly sessions: readonly string[]
      readonly words: string
    }

/** What waits for the person after one more event. */
export function nextWaits(
  waits: readonly PersonWait[],
  event: WireEvent,
  label: string | undefined,
): readonly PersonWait[] {
  switch (event.type) {
    case 'approval_requested':
    case 'message_sent':
      return afterRequest(waits, event, label)
    case 'base_checked':
      return event.data.isAsking === true ? withBase(waits, event) : withoutBase(waits)
    case 'base_fix_ended':
      return event.data.landed ? waits : withBase(waits, event)
    case 'base_checking':
    case 'base_decided':
      return withoutBase(waits)
    case 'approval_decided':
      return without(waits, event.data.approvalId)
    case 'message_failed':
      return without(waits, event.data.messageId)
    case 'session_suspended':
      return withUnready(withoutUnready(waits, event.sessionId), event)
    case 'session_resumed':
      return withoutUnready(waits, event.sessionId)
    case 'session_ended':
      return withoutUnready(waits, event.sessionId).filter(
        (wait) => wait.type !== 'question' || wait.from !== event.sessionId,
      )
    case 'job_completed':
    case 'job_cancelled':
    case 'job_error':
      return []
    default:
      return waits
  }
}

function afterRequest(
  waits: readonly PersonWait[],
  event: Extract<WireEvent, { type: 'approval_requested' | 'message_sent' }>,
  label: string | undefined,
): readonly PersonWait[] {
  if (event.type === 'approval_requested') {
    const { approvalId: id, digest, action, agent, ruleId } = event.data
    if (ruleId !== undefined) return waits
    const words = visibleLine(describeAction(action, label ?? safeLine(agent)))
    return [...waits, { type: 'approval', id, digest, asks: action.type, words }]
  }
  const { kind, from, to, messageId: id, text, inReplyTo } = event.data
  if (kind === 'question' && to === 'person') {
    const words = `${label ?? 'an agent'} asks: ${safeLine(text)}`
    return [...waits, { type: 'question', id, from, words }]
  }
  return inReplyTo === undefined ? waits : without(waits, inReplyTo)
}

function withBase(
  waits: readonly PersonWait[],
  { jobId: id = '', data }: Extract<WireEvent, { type: 'base_checked' | 'base_fix_ended' }>,
): readonly PersonWait[] {
  const isSetup =
    'landed' in data ? data.isSetup === true : data.failures?.some((failed) => failed.isSetup) === true
  const what = isSetup ? 'setup already fails' : 'checks already fail'
  const words = `${what} on ${safeLine(data.branch)}. What should the job do?`
  return [...without(waits, id), { type: 'base', id, isSetup, words }]
}

function withoutBase(waits: readonly PersonWait[]): readonly PersonWait[] {
  return waits.filter(({ type }) => type !== 'base')
}

/** What no person has to do something about isn't asked: a network comes back, and quota resets. */
function withUnready(
  waits: readonly PersonWait[],
  { jobId: id = '', sessionId = '', data }: WireEventOf<'session_suspended'>,
): readonly PersonWait[] {
  const { why, reason = '', remedy = '', until } = data
  if (why !== 'unready' || until !== undefined) return waits
  const words = safeLine(describeUnready({ reason, remedy }))
  const isSame = (wait: PersonWait) => wait.type === 'unready' && wait.words === words
  if (!waits.some(isSame)) return [...waits, { type: 'unready', id, sessions: [sessionId], words }]
  return waits.map((wait) =>
    wait.type === 'unready' && isSame(wait) ? { ...wait, sessions: [...wait.sessions, sessionId] } : wait,
  )
}

function withoutUnready(waits: readonly PersonWait[], sessionId = ''): readonly PersonWait[] {
  return waits.flatMap((wait): readonly PersonWait[] => {
    if (wait.type !== 'unready') return [wait]
    const sessions = wait.sessions.filter((id) => id !== sessionId)
    return sessions.length === 0 ? [] : [{ ...wait, sessions }]
  })
}

function without(waits: readonly PersonWait[], id: string): readonly PersonWait[] {
  return waits.filter((wait) => wait.id !== id)
}
