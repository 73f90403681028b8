import { join } from 'node:path'
import { take } from '../support/take.ts'
import type { World } from './documents-world.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

/** In the repository with one finished job. */
async function finished({ finishedJob, repository }: World): Promise<Scene> {
  const JOB = await finishedJob('finished')
  return { ids: { JOB, TASK: 't1-2' }, cwd: (await repository('finished')).path }
}

/** In that repository, with the IDs of the second task's attempt. */
async function ofAttempt(world: World): Promise<Scene> {
  const scene = await finished(world)
  const tasks = take(await world.client.listTasks({ job: scene.ids?.JOB ?? '' })).items
  const { id = '' } = tasks.find(({ number }) => number === 2) ?? {}
  const { attempts } = take(await world.client.getTask(id))
  const { projectId: PRJ } = take(await world.client.getJob(scene.ids?.JOB ?? ''))
  const hub = join(world.environment.MUSTER_HOME, 'hubs', `${PRJ}.git`)
  return { ...scene, ids: { ...scene.ids, TSK: id, ATT: attempts[0]?.id ?? '', PRJ }, environment: { hub } }
}

/** Commands that show something and change nothing. */
export const READING_PLANS: Plans = {
  'muster status': async ({ directory }) => ({ cwd: directory, shows: 'home' }),
  'muster status JOB': async (world) => ({ ...(await finished(world)), shows: 't1-2' }),
  'muster show JOB': async (world) => ({ ...(await finished(world)), shows: 'max cycles' }),
  'muster show TASK': async (world) => ({ ...(await finished(world)), shows: 't1-2' }),
  'muster diff TASK': async (world) => ({ ...(await finished(world)), shows: '+two.txt' }),
  'muster diff JOB --stat': async (world) => ({
    ...(await finished(world)),
    shows: '2 files, 2 lines added',
  }),
  'muster diff JOB --with-task-list': async (world) => ({
    ...(await finished(world)),
    shows: 'diff --git a/TASKLIST.md b/TASKLIST.md',
  }),
  'muster report': async (world) => ({ ...(await finished(world)), shows: 'two.txt' }),
  'muster report -n 5': async (world) => ({ ...(await finished(world)), shows: 'two.txt' }),
  'muster report JOB': async (world) => ({ ...(await finished(world)), shows: 'two.txt' }),
  'git log --first-parent main..muster/JOB': async (world) => ({
    ...(await finished(world)),
    shows: 'Write two.txt',
  }),
  'muster merge JOB': async ({ finishedJob, directory }) => ({
    ids: { JOB: await finishedJob('merged') },
    cwd: directory,
    shows: 'main is now at',
  }),
  'muster list agents': async (world) => ({ ...(await finished(world)), shows: 'critic' }),
  'muster list jobs --user ada --status running': async ({ directory }) => ({ cwd: directory }),
  'muster list projects': async (world) => ({ ...(await finished(world)), shows: 'prj_' }),
  'muster --json show TSK': async (world) => ({ ...(await ofAttempt(world)), shows: '"tip"' }),
  'git --git-dir="$hub" for-each-ref refs/muster/attempts': async (world) => ({
    ...(await ofAttempt(world)),
    shows: 'refs/muster/attempts/att_',
  }),
  'git --git-dir="$hub" log -p -1 refs/muster/attempts/ATT': async (world) => ({
    ...(await ofAttempt(world)),
    shows: '+two.txt',
  }),
  'git fetch "$hub" refs/muster/attempts/ATT': async (world) => ({
    ...(await ofAttempt(world)),
    shows: 'FETCH_HEAD',
  }),
  'git fetch "$hub" muster/JOB:muster/JOB': async (world) => ofAttempt(world),
}
