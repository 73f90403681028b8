import { type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { beginLife } from './begin-life.ts'
import { type Life, launchLife, openingOf } from './launch-life.ts'
import { programOf } from './program-of.ts'

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
  | 'clock'
  | 'crash'
  | 'settings'
  | 'adoptSession'
>

/** What came of it: `ended` when the program had run and gone while nobody was there to record it. */
export type LifeStart = 'begun' | 'ended'

/**
 * Starts the program of a session's life and records that it runs. Run again after a death at any point it finds
 * what the first run left, a running program included, and goes on from there.
 */
export async function startLife(
  needs: LifeNeeds,
  life: Life,
  alsoStore?: (records: Records) => Promise<void>,
): Promise<Result<LifeStart, string>> {
  const { session, workplace } = life
  const sight = await programOf(needs, session).look()
  if (sight.type !== 'absent' && sight.type !== 'running') return success('ended')
  const launched =
    sight.type === 'running' ? success({ started: sight, opening: undefined }) : await launchLife(needs, life)
  if (!launched.ok) return launched
  if (session.life > 1) needs.crash.reach('talk.before-next-life')
  const { started, opening = await openingOf(needs, life) } = launched.value
  await beginLife(needs, {
    session,
    started,
    workplace,
    opening,
    ...(alsoStore === undefined ? {} : { alsoStore }),
  })
  return success('begun')
}
