import { type Result, success } from '../../../domain/result.ts'
import type { HostSight } from '../../../ports/session-host.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { beginLife } from './begin-life.ts'
import { launchLife, openingOf } from './launch-life.ts'
import type { Life } from './plan-launch.ts'

export type LifeNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'branches'
  | 'history'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'providers'
  | 'roles'
  | 'clock'
  | 'crash'
  | 'settings'
  | 'adoptSession'
>

/** What was seen of a program before its start: nothing, or that it runs since an earlier try. */
export type Startable = Extract<HostSight, { readonly type: 'absent' | 'running' }>

export function isStartable(sight: HostSight): sight is Startable {
  return sight.type === 'absent' || sight.type === 'running'
}

/**
 * Starts one run of a session's program and records that it runs. Run again after a death at any point it finds
 * what the first run left, a running program included, and continues from there.
 */
export async function startLife(
  needs: LifeNeeds,
  life: Life,
  sight: Startable,
): Promise<Result<undefined, string>> {
  const { session, workplace } = life
  const launched =
    sight.type === 'running' ? success({ started: sight, opening: undefined }) : await launchLife(needs, life)
  if (!launched.ok) return launched
  if (session.life > 1) needs.crash.reach('talk.before-next-life')
  const { started, opening = await openingOf(needs, life) } = launched.value
  await beginLife(needs, { session, started, workplace, opening })
  return success(undefined)
}
