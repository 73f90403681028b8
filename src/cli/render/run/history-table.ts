import type { Display } from '../text/display.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { costWords } from '../text/usage-words.ts'

/** A job or a run that has ended. */
export type HistoryEntry = {
  readonly type: 'job' | 'run'
  readonly id: string
  /** The run, or the one that did all the work of the job. */
  readonly runId?: string
  readonly playbook?: string
  readonly title: string
  readonly status: string
  /** How it ended: the end of its run if that isn't complete, otherwise its status. */
  readonly result: string
  readonly reason?: string
  readonly durationMs: number
  readonly costUsd: number
  readonly endedAt: string
}

const TITLE_LIMIT = 60

export function historyTable(
  entries: readonly HistoryEntry[],
  now: Date,
  { shortId, columns }: Pick<Display, 'shortId' | 'columns'>,
): readonly string[] {
  if (entries.length === 0) return ['nothing has ended here yet']
  return table(
    ['ENDED', 'ID', 'PLAYBOOK', 'RESULT', 'TIME', 'COST', 'GOAL'],
    entries.map(({ endedAt, id, playbook = '', result, durationMs, costUsd, title }) => [
      momentWords(new Date(endedAt), now),
      shortId(id),
      safeLine(playbook),
      result,
      elapsed(durationMs),
      costWords({ costUsd, inputTokens: 0, outputTokens: 0 }),
      safeLine(title, TITLE_LIMIT),
    ]),
    { ...(columns === undefined ? {} : { columns }), optional: ['PLAYBOOK', 'TIME', 'COST'] },
  )
}
