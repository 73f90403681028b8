import type { WireSession } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'
import { sessionStateWords, sessionTone } from './session-words.ts'

const STATE_LIMIT = 48
/** A check has its command as its name, which may be long. */
const AGENT_LIMIT = 32

/** `labels` maps the IDs of tasks to their short names. */
export function sessionTable(
  sessions: readonly WireSession[],
  labels: ReadonlyMap<string, string>,
  now: Date,
  display: Display,
): readonly string[] {
  if (sessions.length === 0) return ['no sessions']
  return table(
    ['SESSION', 'AGENT', 'ROLE', 'STATE', 'TIME', 'TOKENS', 'COST', 'FOR'],
    sessions.map((session) => [
      display.shortId(session.id),
      safeLine(session.agent, AGENT_LIMIT),
      safeLine(session.role),
      display.paint(sessionTone(session), safeLine(sessionStateWords(session, now), STATE_LIMIT)),
      runTime(session, now),
      tokenWords(session.usage),
      costWords(session.usage),
      forWords(session, labels, display),
    ]),
    { columns: display.columns, optional: ['TOKENS', 'TIME', 'COST', 'ROLE'], flexible: ['AGENT', 'STATE'] },
  )
}

/** How long its program has been running; waiting for a start doesn't count. */
function runTime({ startedAt, endedAt }: WireSession, now: Date): string {
  if (startedAt === undefined) return ''
  return elapsed((endedAt === undefined ? now.getTime() : Date.parse(endedAt)) - Date.parse(startedAt))
}

function forWords(
  { purpose, jobId, taskId }: WireSession,
  labels: ReadonlyMap<string, string>,
  { shortId }: Display,
): string {
  if (purpose.type === 'personal') return safeLine(purpose.branch)
  if (purpose.type === 'query') return `asks ${shortId(purpose.of)}`
  if (purpose.type === 'baseline') return 'check of the base'
  const what = purpose.type === 'check' ? 'check' : taskId === undefined ? 'plan' : labels.get(taskId)
  const job = jobId === undefined ? undefined : shortId(jobId)
  return [what, job].filter((word) => word !== undefined).join(' of ')
}
