import type { WireRun } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'

/** `standings`: words for runs whose jobs know more about them. */
export function runTable(
  runs: readonly WireRun[],
  standings: ReadonlyMap<string, string>,
  now: Date,
  display: Display,
): readonly string[] {
  if (runs.length === 0) {
    return [`no runs yet; start one with: ${display.hint('muster start solo "what you want done"')}`]
  }
  return table(
    ['RUN', 'JOB', 'PLAYBOOK', 'STATUS', 'TIME', 'STAGE'],
    runs.map((run) => [
      display.shortId(run.id),
      display.shortId(run.jobId),
      safeLine(run.playbook),
      standings.get(run.id) ?? run.end ?? run.status,
      timeOf(run, now),
      stageOf(run),
    ]),
    { columns: display.columns, optional: ['TIME', 'JOB'] },
  )
}

function timeOf({ createdAt, endedAt }: WireRun, now: Date): string {
  const end = endedAt === undefined ? now.getTime() : Date.parse(endedAt)
  return elapsed(Math.max(0, end - Date.parse(createdAt)))
}

/** Where the run is, or where it ended, and with what. */
function stageOf({ visits }: WireRun): string {
  const last = visits.at(-1)
  if (last === undefined) return ''
  // Which case a choice took says little without the playbook.
  const isPlain = last.outcome === undefined || /^(?:\d+|else)$/.test(last.outcome)
  return safeLine(isPlain ? last.stage : `${last.stage}: ${last.outcome}`)
}
