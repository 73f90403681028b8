import { hasFormat } from './has-format.ts'
import { judgesWork } from './judges-work.ts'
import type { Playbook } from './playbook.ts'
import type { Target } from './route.ts'
import type { Stage } from './stage.ts'
import { type Exit, exitsOf } from './stage-graph.ts'

type Place = { readonly stage: string; readonly isApproved: boolean }

type Reviewed = Pick<Playbook, 'start' | 'roles' | 'stages' | 'result'>

/**
 * Whether some way through a playbook lands work that no reviewer has approved as it is. Work that changes after its
 * review counts as not reviewed.
 */
export function landsUnreviewed(playbook: Reviewed): boolean {
  // Out of time or money, a run ends as partial wherever it is.
  if (playbook.result.partial === 'land' && Object.values(playbook.stages).some(makesWork)) return true
  const open: Place[] = [{ stage: playbook.start, isApproved: false }]
  const seen = new Set<string>()
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const key = `${place.isApproved} ${place.stage}`
    if (seen.has(key)) continue
    seen.add(key)
    const ways = waysFrom(playbook, place)
    if (ways.some(({ target, isApproved }) => !isApproved && lands(playbook, target))) return true
    open.push(
      ...ways.flatMap(({ target, isApproved }) =>
        target.type === 'stage' ? [{ stage: target.stage, isApproved }] : [],
      ),
    )
  }
  return false
}

function waysFrom(playbook: Reviewed, { stage: name, isApproved }: Place) {
  const stage = playbook.stages[name]
  if (stage === undefined) return []
  return exitsOf(stage).map((exit) => ({
    target: exit.target,
    isApproved: isApprovedAfter(playbook, stage, exit, isApproved),
  }))
}

function lands({ result }: Reviewed, target: Target): boolean {
  if (target.type !== 'end') return false
  const isPartial = target.end === 'partial' || target.end === 'unverified'
  return target.end === 'land' || (isPartial && result.partial === 'land')
}

function isApprovedAfter(playbook: Reviewed, stage: Stage, { path }: Exit, isApproved: boolean): boolean {
  if (judgesWork(playbook, stage)) return path[1] === 'APPROVED'
  return isApproved && !makesWork(stage)
}

/** Whether the run's work may be another one after this stage. */
function makesWork(stage: Stage): boolean {
  if (stage.type === 'checks') return stage.each !== undefined
  if (stage.type !== 'role') return stage.type === 'playbook'
  return hasFormat(stage.output, 'change') || hasFormat(stage.output, 'choice')
}
