import { dirname } from 'node:path'
import { take } from '../support/take.ts'
import { DONE_AT_ONCE } from './example-project.ts'
import type { Plans } from './plans.ts'

/** Commands that start jobs, follow them and change them. */
export const JOB_PLANS: Plans = {
  'muster run TEXT --check TEXT --max-cycles 5': async ({ newRepository }) => {
    const lock = { name: 'dates', version: '1.0.0', lockfileVersion: 3, requires: true, packages: {} }
    const { path } = await newRepository('your-repository', {
      'package.json': JSON.stringify({ name: 'dates', version: '1.0.0', scripts: { test: 'true' } }),
      'package-lock.json': JSON.stringify(lock),
    })
    return { cwd: dirname(path), shows: 'completed: the goal is reached' }
  },
  'muster init': async ({ newRepository }) => {
    const { path } = await newRepository('plain', { 'package.json': '{"scripts":{"test":"true"}}' })
    return { cwd: path, shows: 'muster.yaml' }
  },
  'muster run @GOAL.md --detach': async ({ repository }) => ({
    cwd: (await repository('detached')).path,
    shows: 'follow it:  muster watch job_',
  }),
  'muster run @GOAL.md --mode approve': async ({ repository }) => ({
    cwd: (await repository('approve-goal')).path,
    interruptAt: 'muster approve apr_',
    code: 130,
  }),
  'muster run @GOAL.md --max-cycles 5 --time-limit 90m --budget 5.00 --mode review': async ({
    repository,
  }) => ({
    cwd: (await repository('limited')).path,
    shows: 'completed: the goal is reached',
  }),
  'muster run TEXT --check TEXT --mode auto': async ({ newRepository }) => {
    const { path, write, commit } = await newRepository('auto')
    await write({ 'package.json': '{"scripts":{"test":"true"}}' })
    await commit('a package')
    return { cwd: path, shows: 'completed: the goal is reached' }
  },
  'muster run TEXT --mode review': async ({ repository }) => ({
    cwd: (await repository('reviewed')).path,
    shows: 'completed: the goal is reached',
  }),
  'muster run TEXT --playbook reviewed': async ({ repository }) => ({
    cwd: (await repository('playbook-of-tasks')).path,
    shows: 'completed: the goal is reached',
  }),
  'muster run TEXT --mode approve': async ({ repository }) => ({
    cwd: (await repository('approve-text')).path,
    interruptAt: 'muster approve apr_',
    code: 130,
  }),
  'muster watch': async ({ job, repository }) => {
    await job('watched')
    return { cwd: (await repository('watched')).path, shows: 'completed: the goal is reached' }
  },
  'muster logs JOB -f': async ({ openJob, repository }) => ({
    ids: { JOB: await openJob('shared') },
    cwd: (await repository('open')).path,
    interruptAt: 'thinking',
  }),
  'muster events JOB': async ({ finishedJob, directory }) => ({
    ids: { JOB: await finishedJob('finished') },
    cwd: directory,
    shows: 'job_completed',
  }),
  'muster edit JOB --goal @GOAL.md': async ({ openJob, repository }) => ({
    ids: { JOB: await openJob('new') },
    cwd: (await repository('open')).path,
  }),
  'muster edit JOB --tasks TEXT': async ({ openJob, directory }) => ({
    ids: { JOB: await openJob('shared') },
    cwd: directory,
  }),
  'muster edit JOB --tasks ""': async ({ openJob, client, directory }) => {
    const id = await openJob('shared')
    take(await client.editTaskList(id, 'first the parser'))
    return { ids: { JOB: id }, cwd: directory }
  },
  'muster edit JOB': async ({ finishedJob, directory }) => ({
    ids: { JOB: await finishedJob('finished') },
    cwd: directory,
  }),
  'muster cancel JOB --reason TEXT': async ({ openJob, directory }) => ({
    ids: { JOB: await openJob('new') },
    cwd: directory,
    shows: 'cancel',
  }),
  'muster base JOB': async ({ failingJob, directory }) => ({
    ids: { JOB: await failingJob('shared') },
    cwd: directory,
    shows: 'test -f missing.txt',
  }),
  'muster base JOB continue': async ({ failingJob, directory }) => ({
    ids: { JOB: await failingJob('shared') },
    cwd: directory,
  }),
  'muster base JOB fix': async ({ failingJob, directory }) => ({
    ids: { JOB: await failingJob('new') },
    cwd: directory,
  }),
  'muster base JOB retry': async ({ failingJob, directory }) => ({
    ids: { JOB: await failingJob('new') },
    cwd: directory,
  }),
  'muster base JOB stop': async ({ failingJob, directory }) => ({
    ids: { JOB: await failingJob('new') },
    cwd: directory,
  }),
  'muster ask planner TEXT --job JOB': async ({ job, client, repository }) => {
    const id = await job('asked', { requestDocument: DONE_AT_ONCE, planner: 'claude' })
    for await (const _ of client.follow(id));
    return {
      ids: { JOB: id },
      cwd: (await repository('asked')).path,
      shows: 'I was told 2 things',
    }
  },
}
