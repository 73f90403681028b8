import type { MusterClient, Page, WireSession } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { sessionTable } from '../render/session/session-table.ts'
import { counted } from '../render/text/counted.ts'
import { displayOf } from '../render/text/display.ts'
import { withAnswer } from '../with-daemon.ts'
import { taskLabels } from './task-labels.ts'

/** The flags, with the whole ID of the job. */
type Asked = {
  readonly job?: string | undefined
  readonly agent?: string
  readonly role?: string
  readonly resumable?: true
  readonly askable?: true
  readonly all?: true
  readonly limit?: number
}

const DEFAULT_LIMIT = 50
/** How long a personal session stays in the list after its end. */
const RECENT_MS = 24 * 60 * 60_000

/** A person who asks for nothing in particular gets the sessions that matter now; a program gets all of them. */
export async function listSessions(
  needs: CommandNeeds,
  client: MusterClient,
  flags: Asked,
): Promise<Outcome> {
  const { job, agent, role, resumable, askable, all, limit } = flags
  const filters = { job, agent, role, resumable, askable }
  const isPart = Object.values(filters).some((flag) => flag !== undefined)
  if (all !== true && (isPart || needs.output.json)) {
    return withAnswer(client.listSessions({ ...filters, limit: limit ?? DEFAULT_LIMIT }), (page) =>
      showSessions(needs, client, page, isPart),
    )
  }
  const reading = readAll((page) => client.listSessions({ ...filters, ...page }))
  return withAnswer(reading, async (sessions) => {
    if (all === true) return showSessions(needs, client, { items: sessions.slice(0, limit) }, isPart)
    const now = needs.surroundings.now()
    const items = sessions.filter((session) => isCurrent(session, now)).slice(0, limit ?? DEFAULT_LIMIT)
    return showCurrent(needs, client, items, sessions.length - items.length)
  })
}

/** Neither a check nor over. A person's own conversation may be continued for a while after its end. */
function isCurrent({ purpose, status, endedAt }: WireSession, now: Date): boolean {
  if (purpose.type === 'check' || purpose.type === 'baseline') return false
  if (status !== 'terminated') return true
  return purpose.type === 'personal' && now.getTime() - Date.parse(endedAt ?? '') < RECENT_MS
}

async function showCurrent(
  needs: CommandNeeds,
  client: MusterClient,
  items: readonly WireSession[],
  leftOut: number,
): Promise<Outcome> {
  const { output } = needs
  const shown =
    items.length === 0 && leftOut > 0
      ? printResult(needs, { items }, ['no open sessions'])
      : await showSessions(needs, client, { items }, false)
  if (leftOut === 0) return shown
  const words = `${counted(leftOut, 'session')} left out (checks, and what has ended)`
  output.note(output.paint('dim', `${words}; list all with: ${output.hint('muster list sessions --all')}`))
  return shown
}

async function showSessions(
  needs: CommandNeeds,
  client: MusterClient,
  page: Omit<Page<WireSession>, 'items'> & { readonly items: readonly WireSession[] },
  isPart: boolean,
): Promise<Outcome> {
  if (page.items.length === 0 && isPart) return printResult(needs, page, ['no session matches'])
  const labels = await taskLabels(needs, client, page.items)
  const now = needs.surroundings.now()
  return printResult(needs, page, sessionTable(page.items, labels, now, displayOf(needs)))
}
