import { hasFormat } from './has-format.ts'
import type { Playbook } from './playbook.ts'
import type { Target } from './route.ts'
import type { Stage } from './stage.ts'
import { type Exit, exitsOf } from './stage-graph.ts'

type Place = { readonly stage: string; readonly isApproved: boolean }

/**
 * Whether some way through a playbook lands work that no reviewer has approved as it is. Work that changes after its
 * review counts as not reviewed.
 */
export function landsUnreviewed(playbook: Pick<Playbook, 'start' | 'stages' | 'result'>): boolean {
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

function waysFrom({ stages }: Pick<Playbook, 'stages'>, { stage: name, isApproved }: Place) {
  const stage = stages[name]
  if (stage === undefined) return []
  return exitsOf(stage).map((exit) => ({
    target: exit.target,
    isApproved: isApprovedAfter(stage, exit, isApproved),
  }))
}

function lands({ result }: Pick<Playbook, 'result'>, target: Target): boolean {
  if (target.type !== 'end') return false
  const isPartial = target.end === 'partial' || target.end === 'unverified'
  return target.end === 'land' || (isPartial && result.partial === 'land')
}

function isApprovedAfter(stage: Stage, { path }: Exit, isApproved: boolean): boolean {
  if (stage.type === 'playbook' || (stage.type === 'checks' && stage.each !== undefined)) return false
  if (stage.type !== 'role') return isApproved
  if (hasFormat(stage.output, 'review')) return path[1] === 'APPROVED'
  return isApproved && !hasFormat(stage.output, 'change') && !hasFormat(stage.output, 'choice')
}
