import type { World } from './documents-world.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

async function withJob({ finishedJob, repository }: World): Promise<Scene> {
  const job = await finishedJob('finished')
  return { cwd: (await repository('finished')).path, ids: { JOB: job }, environment: { job } }
}

async function withSession({ session, repository }: World): Promise<Scene> {
  const id = await session('shared')
  return { cwd: (await repository('sessions')).path, environment: { session: id }, shows: '"success":true' }
}

const AUTHORIZED = 'curl -s -H "Authorization: Bearer $token"'
const STREAM = 'curl -sN -H "Authorization: Bearer $token"'

/** Requests with curl. */
export const HTTP_PLANS: Plans = {
  [`${AUTHORIZED} "$url/api/status"`]: async ({ directory }) => ({ cwd: directory, shows: '"success":true' }),
  [`${AUTHORIZED} "$url/api/providers?models=true"`]: async ({ directory }) => ({
    cwd: directory,
    shows: 'claude-code',
  }),
  [`${AUTHORIZED} -H TEXT -d TEXT "$url/api/orchestrator"`]: async ({ repository }) => ({
    cwd: (await repository('posted')).path,
    shows: '"success":true',
  }),
  [`${AUTHORIZED} -H TEXT -H TEXT -d TEXT "$url/api/orchestrator"`]: async ({ repository }) => ({
    cwd: (await repository('posted')).path,
    shows: '"success":true',
  }),
  [`${STREAM} "$url/api/orchestrator/JOB/stream"`]: async (world) => ({
    ...(await withJob(world)),
    shows: 'event: job_completed',
  }),
  [`${STREAM} "$url/api/orchestrator/$job/stream"`]: async (world) => ({
    ...(await withJob(world)),
    shows: 'event: job_completed',
  }),
  [`${STREAM} -H TEXT "$url/api/orchestrator/$job/stream"`]: async (world) => ({
    ...(await withJob(world)),
    shows: 'event: job_completed',
  }),
  [`${STREAM} "$url/api/events"`]: async ({ directory }) => ({
    cwd: directory,
    interruptAt: 'event: connected',
  }),
  [`${STREAM} "$url/api/events?after="`]: async ({ directory }) => ({
    cwd: directory,
    interruptAt: 'event: job_started',
  }),
  [`${AUTHORIZED} -H TEXT -d TEXT "$url/api/sessions"`]: withSession,
  [`${AUTHORIZED} -H TEXT -d TEXT "$url/api/sessions/$session/messages"`]: withSession,
  [`${AUTHORIZED} -H TEXT -d TEXT"$session"TEXT "$url/api/sessions/queries"`]: async (world) => ({
    ...(await withSession(world)),
    environment: { session: await world.endedSession() },
  }),
}
