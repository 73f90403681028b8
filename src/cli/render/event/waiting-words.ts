import type { WireEventOf } from '../../../contract/event.ts'
import { describeUnready } from '../../../domain/agent/unready.ts'
import { describeAction } from '../../../domain/approval/describe-action.ts'
import { unusualParts } from '../../../domain/approval/unusual-parts.ts'
import { momentWords } from '../text/elapsed.ts'
import { safeHead, safeLine, visibleLine } from '../text/safe-text.ts'
import type { Words } from './words.ts'

type Requested = WireEventOf<'approval_requested'>

/** "wants to run: npm test". The label of the line names the task; without one, the agent is named. */
export function approvalWords(event: Requested): Words {
  const { action } = event.data
  const sentence = visibleLine(sentenceOf(event)).trim()
  const unusual = unusualIn(action)
  const text = unusual.length === 0 ? sentence : `${sentence} (unusual: ${unusual.join(', ')})`
  if (event.data.ruleId !== undefined) return { tone: 'plain', text: `${text}; allowed by your rule` }
  return { tone: 'warn', text, next: approvalNext(event.data) }
}

function unusualIn(action: Requested['data']['action']): readonly string[] {
  if (action.type === 'tool-use') return unusualParts(action)
  return action.type === 'landing' ? (action.unusual ?? []).map((part) => safeLine(part)) : []
}

function sentenceOf({ taskId, data: { agent, action } }: Requested): string {
  if (action.type === 'tool-use') return describeAction(action, taskId === undefined ? safeLine(agent) : '')
  if (action.type === 'gate') return describeAction(action, '')
  const [only, ...others] = action.tasks
  const isNamed = taskId !== undefined && only !== undefined && others.length === 0
  return isNamed ? `"${only.title}" wants to land` : describeAction(action, '')
}

/** A person sees what would land before they approve it. Each command has its own line, so that it can be copied. */
function approvalNext({ approvalId, action }: Requested['data']): readonly string[] {
  const id = safeLine(approvalId)
  if (action.type === 'gate' && action.isTrouble === true) {
    return [
      `waiting for you: muster show ${id}`,
      `then: muster approve ${id}   (try again)`,
      `or:   muster deny ${id}   (skip the stage; with --abort, end the run)`,
    ]
  }
  if (action.type === 'gate') return [`waiting for you: muster show ${id}`, `then: muster approve ${id}`]
  if (action.type !== 'landing') return [`waiting for you: muster approve ${id}`]
  const look = [`waiting for you: muster diff ${id}`, `then: muster approve ${id}`]
  return action.unusual === undefined ? look : [...look, `or:   muster deny ${id}`]
}

/** A question to the person, with the command that answers it. */
export function questionWords({ data }: WireEventOf<'message_sent'>): Words | undefined {
  if (data.kind !== 'question' || data.to !== 'person') return undefined
  const next = [`waiting for you: muster answer ${safeLine(data.messageId)} "..."`]
  return { tone: 'warn', text: `asks: ${safeLine(data.text)}`, next }
}

type Waiting = WireEventOf<'job_waiting' | 'task_waiting' | 'session_waiting'>

/** A limit holds something back. The status shows what uses it up. */
export function limitWords(event: Waiting, who: string): Words {
  return { tone: 'dim', text: `${who}${waitWords(event)}`, see: 'muster status' }
}

/** Which limit prevents a start: "is waiting: 4 of 4 sessions of this project are running". */
export function waitWords({ data, at }: Waiting): string {
  const until = data.until === undefined ? '' : ` until ${momentWords(new Date(data.until), new Date(at))}`
  return `is waiting${until}: ${safeLine(data.reason)}`
}

/** A suspension, with the command that ends it. */
export function suspendedWords(event: WireEventOf<'session_suspended'>): Words {
  const { data, jobId, sessionId = '' } = event
  if (data.why !== 'unready') {
    return { tone: 'warn', text: `${safeLine(data.agent)} ${suspensionWords(event)}`, see: 'muster status' }
  }
  const when = data.until === undefined ? 'then' : 'to try now'
  return {
    tone: 'warn',
    text: suspensionWords(event),
    next: [`${when}: muster resume ${jobId ?? sessionId}`],
  }
}

export function suspensionWords({ data, at }: WireEventOf<'session_suspended'>): string {
  if (data.why === 'unready') {
    const { reason = '', remedy = '', until } = data
    const words = describeUnready({ reason, remedy })
    if (until === undefined) return safeLine(`waiting for you: ${words}`)
    return safeLine(`${words} (tries again at ${momentWords(new Date(until), new Date(at))})`)
  }
  if (data.why !== 'limited') {
    const reason = safeHead(data.reason ?? '')
    return reason === '' ? 'is suspended' : `is suspended: ${reason}`
  }
  return data.until === undefined
    ? 'is waiting for quota'
    : `is waiting for quota until ${momentWords(new Date(data.until), new Date(at))}`
}
