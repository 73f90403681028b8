import type { WireSession } from '../../../client/index.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { costWords, tokenWords } from '../text/usage-words.ts'
import { sessionStateWords, sessionTone } from './session-words.ts'

const STATE_LIMIT = 48

/** `labels` are the short names of tasks by their ids. */
export function sessionTable(
  sessions: readonly WireSession[],
  labels: ReadonlyMap<string, string>,
  now: Date,
  look: Look,
): readonly string[] {
  if (sessions.length === 0) return ['no sessions']
  return table(
    ['SESSION', 'AGENT', 'ROLE', 'STATE', 'AGE', 'TOKENS', 'COST', 'FOR'],
    sessions.map((session) => [
      session.id,
      safeLine(session.agent),
      safeLine(session.role),
      look.paint(sessionTone(session), safeLine(sessionStateWords(session, now), STATE_LIMIT)),
      elapsed(Date.parse(session.endedAt ?? now.toISOString()) - Date.parse(session.createdAt)),
      tokenWords(session.usage),
      costWords(session.usage),
      forWords(session, labels),
    ]),
    { columns: look.columns, optional: ['TOKENS', 'AGE', 'COST', 'ROLE'] },
  )
}

function forWords({ purpose, jobId, taskId }: WireSession, labels: ReadonlyMap<string, string>): string {
  if (purpose.type === 'personal') return safeLine(purpose.branch)
  if (purpose.type === 'query') return `asks ${purpose.of}`
  const what = purpose.type === 'check' ? 'check' : taskId === undefined ? 'plan' : labels.get(taskId)
  return [what, jobId].filter((word) => word !== undefined).join(' of ')
}
