import { type Result, success } from '../../../domain/result.ts'
import type { HostSnapshot } from '../../../ports/session-host.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { ProgramStart } from './plan-spawn.ts'
import { recordStart } from './record-start.ts'
import { openingOf, spawnProgram } from './spawn-program.ts'

export type StartNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'configuration'
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

/** A program that may be started: absent, or already running since an earlier try. */
export type Startable = Extract<HostSnapshot, { readonly type: 'absent' | 'running' }>

export function isStartable(snapshot: HostSnapshot): snapshot is Startable {
  return snapshot.type === 'absent' || snapshot.type === 'running'
}

/**
 * Starts one run of a session's program and records that it runs. Safe to repeat: it reuses whatever an earlier run
 * left, a running program included.
 */
export async function startProgram(
  needs: StartNeeds,
  request: ProgramStart,
  snapshot: Startable,
): Promise<Result<undefined, string>> {
  const { session, workplace } = request
  const spawned =
    snapshot.type === 'running'
      ? success({ started: snapshot, opening: undefined })
      : await spawnProgram(needs, request)
  if (!spawned.ok) return spawned
  if (session.processNumber > 1) needs.crash.reach('conversation.before-next-process')
  const { started, opening = await openingOf(needs, request) } = spawned.value
  await recordStart(needs, { session, started, workplace, opening })
  return success(undefined)
}
