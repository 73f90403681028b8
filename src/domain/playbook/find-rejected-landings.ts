import { hasFormat } from './has-format.ts'
import { judgesWork } from './judges-work.ts'
import type { Playbook } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'
import type { Target } from './route.ts'
import type { Stage } from './stage.ts'
import { exitsOf } from './stage-graph.ts'

const REFUSALS = ['REJECTED', 'NEEDS_REVISION'] as const

/** With `partial: land`, work lands even if its reviewer didn't approve it and the run ends with it as it is. */
export function findRejectedLandings(playbook: Playbook): readonly PlaybookProblem[] {
  if (playbook.result.partial !== 'land') return []
  return Object.entries(playbook.stages).flatMap(([name, stage]) => {
    if (!judgesWork(playbook, stage)) return []
    const landing = REFUSALS.filter((refusal) =>
      exitsOf(stage).some(
        ({ path: [, outcome], target }) => outcome === refusal && isKeptUntilLanding(playbook, target),
      ),
    )
    if (landing.length === 0) return []
    const problem = `work that "${name}" did not approve lands too (${landing.join(', ')}); write "ask" or "keep" to prevent that`
    return [{ path: ['result', 'partial'], problem }]
  })
}

/** Whether a way leads from a target to an end that lands, without changing or judging the work again. */
function isKeptUntilLanding(playbook: Playbook, start: Target): boolean {
  const open = [start]
  const seen = new Set<string>()
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    if (target.type === 'end' && (target.end === 'partial' || target.end === 'unverified')) return true
    if (target.type === 'end' || seen.has(target.stage)) continue
    seen.add(target.stage)
    open.push(...waysOn(playbook, playbook.stages[target.stage]))
  }
  return false
}

/** Where a stage leads that leaves the work and its verdict as they are. */
function waysOn(playbook: Playbook, stage: Stage | undefined): readonly Target[] {
  if (stage === undefined || stage.type === 'playbook') return []
  if (stage.type === 'role' && (hasFormat(stage.output, 'change') || judgesWork(playbook, stage))) return []
  return exitsOf(stage).map(({ target }) => target)
}
