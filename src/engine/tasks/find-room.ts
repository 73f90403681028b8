import { affordableAttempts } from '../../domain/budget/purse.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import { findDayLimit } from '../budget/day-limit.ts'
import { lookAtPurse } from '../budget/look-at-purse.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

export type Room = {
  /** How many sessions of the role may start now: places, money, and memory together. */
  readonly places: number
  /** Live sessions of all jobs. */
  readonly live: readonly Session[]
  /** Sessions of an agent that are at work, over all jobs. */
  readonly liveOf: (agent: string) => number
  /** Whether the job's budget has enough left for one more. */
  readonly isPaid: boolean
}

/** How much of a role may start for a job now, within every limit that is not the job's own number of tasks. */
export async function findRoom(needs: Needs, records: Records, job: Job, role: string): Promise<Room> {
  await records.sessions.lockAdmission()
  const live = await records.sessions.listLive()
  const working = live.filter(({ state }) => state.type !== 'suspended')
  const liveOf = (agent: string) => working.filter(({ agentName }) => agentName === agent).length
  const affordable = affordableAttempts(await lookAtPurse(records, job), role)
  const isPaid = affordable > 0
  if ((await findDayLimit(records, job, needs.clock.now())) !== undefined) {
    return { places: 0, live, liveOf, isPaid }
  }
  const places = Math.min(
    needs.settings.maxSessions - working.length,
    roomOfRole(job, working, role),
    roomInMemory(needs, job, working),
    affordable,
  )
  return { places: Math.max(0, places), live, liveOf, isPaid }
}

/** Whether one more session of this agent and role may start. */
export async function hasRoomFor(
  needs: Needs,
  records: Records,
  job: Job,
  { role, agent }: { readonly role: string; readonly agent: string },
): Promise<boolean> {
  const room = await findRoom(needs, records, job, role)
  const most = job.plan.agents.find(({ name }) => name === agent)?.maxParallel
  return room.places > 0 && (most === undefined || room.liveOf(agent) < most)
}

function roomOfRole(job: Job, working: readonly Session[], role: string): number {
  const most = job.plan.roles?.[role]?.maxParallel ?? job.plan.roleLimits?.[role]
  if (most === undefined) return Number.POSITIVE_INFINITY
  return most - working.filter((session) => session.role === role).length
}

/** Where memory is short one at a time goes on, or nothing ever would. */
function roomInMemory(needs: Needs, job: Job, working: readonly Session[]): number {
  const floor = job.plan.limits.memoryFloorMb
  if (floor === undefined || needs.settings.freeMemoryMb() >= floor) return Number.POSITIVE_INFINITY
  return working.length === 0 ? 1 : 0
}
