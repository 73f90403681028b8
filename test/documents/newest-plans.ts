import type { World } from './documents-world.ts'
import { SLOW_GOAL } from './example-project.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

/** In a repository with one finished job, so that commands without an ID are about it. */
async function inRepository({ finishedJob, repository }: World, name: string): Promise<Scene> {
  const JOB = await finishedJob(name)
  return { ids: { JOB, TASK: 't1-2' }, cwd: (await repository(name)).path }
}

/** Commands that name no job, that name it in other ways, or that propose and remove its work. */
export const NEWEST_PLANS: Plans = {
  'muster logs -f': (world) => inRepository(world, 'newest'),
  'muster show': async (world) => ({ ...(await inRepository(world, 'newest')), shows: 'max cycles' }),
  'muster show TEXT': async ({ job, repository }) => {
    await job('titled', { requestDocument: 'Make the date parser accept week numbers' })
    return { cwd: (await repository('titled')).path, shows: 'max cycles' }
  },
  'muster show x3f9': async (world) => ({
    ...(await inRepository(world, 'newest')),
    code: 2,
    shows: 'x3f9',
  }),
  'muster list jobs': async (world) => ({ ...(await inRepository(world, 'newest')), shows: 'job_' }),
  'muster base': (world) => inRepository(world, 'newest'),
  'muster merge': async (world) => ({
    ...(await inRepository(world, 'merged-newest')),
    shows: 'main is now at',
  }),
  'muster pause': async ({ job, repository }) => {
    await job('paused', { requestDocument: SLOW_GOAL })
    return { cwd: (await repository('paused')).path }
  },
  'muster resume': async ({ job, client, repository }) => {
    const id = await job('resumed', { requestDocument: SLOW_GOAL })
    await client.pauseJob(id)
    return { cwd: (await repository('resumed')).path }
  },
  'muster edit --goal @GOAL.md': async ({ job, repository }) => {
    await job('edited', { requestDocument: SLOW_GOAL })
    return { cwd: (await repository('edited')).path }
  },
  'muster run TEXT --include-uncommitted': async ({ repository }) => {
    const { path, write } = await repository('uncommitted')
    await write({ 'draft.txt': 'draft\n' })
    return { cwd: path, shows: 'completed' }
  },
  'muster report JOB --format markdown > report.md': (world) => inRepository(world, 'newest'),
  'muster pr': async (world) => ({ ...(await inRepository(world, 'newest')), code: 2 }),
  'muster pr JOB': async (world) => ({ ...(await inRepository(world, 'newest')), code: 2 }),
  'muster pr JOB --dry-run': async (world) => ({ ...(await inRepository(world, 'newest')), code: 2 }),
  'muster pr JOB --base develop --draft --title TEXT': async (world) => ({
    ...(await inRepository(world, 'newest')),
    code: 2,
  }),
  'muster recover': (world) => inRepository(world, 'newest'),
  'muster recover TASK': async (world) => ({ ...(await inRepository(world, 'newest')), code: 2 }),
  'muster delete JOB --dry-run': (world) => inRepository(world, 'newest'),
  'muster delete JOB': async (world) => ({
    ...(await inRepository(world, 'newest')),
    code: 2,
    shows: '--yes',
  }),
  'muster clean --older-than 90d': ({ directory }) => Promise.resolve({ cwd: directory }),
  'muster gc': ({ directory }) => Promise.resolve({ cwd: directory }),
}
