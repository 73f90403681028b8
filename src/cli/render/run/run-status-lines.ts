import type { WireRunResult } from '../../../client/index.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { costWords } from '../text/usage-words.ts'

/** Where a run is: its progress, time and cost, what each role did, and what a person can do about it. */
export function runStatusLines(result: WireRunResult, { paint, hint }: Display): readonly string[] {
  const { id, playbook, status, end, progress, durationMs, cost, stages, roles, next } = result
  const spent = costWords(cost)
  const parts = [`${Math.floor(progress * 100)}% done`, elapsed(durationMs), ...(spent === '' ? [] : [spent])]
  return [
    `${paint('strong', id)} ${safeLine(playbook)} ${end ?? status}, ${parts.join(', ')}`,
    `  ${safeLine(result.summary)}`,
    ...stages.map((stage) => `  ${safeLine(stageWords(stage))}`),
    ...roles.map(
      ({ role, agents, visits, durationMs: time }) =>
        `  ${safeLine(`${role} (${agents.join(', ')}): ${counted(visits, 'visit')}, ${elapsed(time)}`)}`,
    ),
    ...next.map(({ purpose, command }) => `  ${purpose}: ${hint(command)}`),
  ]
}

function stageWords({ stage, outcomes, chosen = [] }: WireRunResult['stages'][number]): string {
  if (chosen.length > 0) return `${stage} -> ${chosen.join(', ')}`
  return `${stage}: ${outcomes.join(', ') || 'working'}`
}
