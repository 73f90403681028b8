import type { WireApproval } from '../../../client/index.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import { exactLines } from '../text/exact-lines.ts'
import type { Look } from '../text/look.ts'
import type { Tone } from '../text/paint.ts'
import { safeLine, visibleText } from '../text/safe-text.ts'
import { landingApproval, landingTasks } from './landing-approval.ts'

const TONES = {
  pending: 'warn',
  allowed: 'good',
  denied: 'bad',
  expired: 'dim',
  void: 'dim',
} as const satisfies Record<WireApproval['status'], Tone>

const SHOWN_LINES = 12

/** Who wants to do what exactly, where, since when and until when. `whole`: however long it is. */
export function approvalLines(
  approval: WireApproval,
  now: Date,
  look: Look,
  extent: 'brief' | 'whole',
): readonly string[] {
  const { id, action, sessionId, jobId } = approval
  const { paint } = look
  const exact = exactLines(action.input)
  const shown = extent === 'whole' ? exact : exact.slice(0, SHOWN_LINES)
  const hidden = exact.length - shown.length
  const why = action.reason === undefined ? [] : [`  why    ${safeLine(action.reason)}`]
  const more =
    hidden > 0 ? [paint('dim', `         ${hidden} more lines: ${look.hint(`muster show ${id}`)}`)] : []
  const landing = landingApproval(approval, look)
  return [
    `${paint('strong', id)} ${paint(TONES[approval.status], stateWords(approval, now))}`,
    `  who    ${whoWords(approval)}`,
    ...(landing?.what ?? [
      `  what   ${paint('strong', oneLine(action.tool))}`,
      ...shown.map((line) => `         ${line}`),
      ...more,
    ]),
    `  where  ${oneLine(action.directory)}`,
    ...why,
    `  from   ${[sessionId, jobId].filter((part) => part !== undefined).join(' of ')}`,
    ...(extent === 'whole' ? (landing?.patch ?? []) : []),
  ]
}

/** What was decided, and what comes of it. */
export function decisionLine(approval: WireApproval, { paint }: Look): string {
  const { id, status, reason, action } = approval
  const why = reason === undefined ? '' : `: ${safeLine(reason)}`
  const tasks = landingTasks(approval)
  const landing =
    tasks.length === 0 ? 'it lands' : `${tasks.join(', ')} ${tasks.length === 1 ? 'lands' : 'land'}`
  const effect = action.tool === 'land' ? landing : `${whoWords(approval)} may use ${oneLine(action.tool)}`
  const words = `${paint(TONES[status], status)}${why}`
  return `${paint('strong', id)} ${words}${status === 'allowed' ? `; ${effect}` : ''}`
}

function whoWords({ agent, role, candidateId }: WireApproval): string {
  if (candidateId !== undefined) return 'the merge queue'
  if (agent === undefined) return 'a session that is gone'
  return role === undefined ? safeLine(agent) : `${safeLine(agent)} (${safeLine(role)})`
}

function stateWords(approval: WireApproval, now: Date): string {
  const { status, createdAt, expiresAt, decidedAt, by, reason } = approval
  if (status === 'pending') {
    const left = Date.parse(expiresAt) - now.getTime()
    const until = left <= 0 ? 'its time is over' : `expires in ${elapsed(left)}`
    return `waiting for ${elapsed(now.getTime() - Date.parse(createdAt))}, ${until}`
  }
  const at = decidedAt === undefined ? '' : ` at ${momentWords(new Date(decidedAt), now)}`
  const who = by === undefined ? '' : ` by ${safeLine(by)}`
  const why = reason === undefined ? '' : `: ${safeLine(reason)}`
  return `${status}${who}${at}${why}`
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}
