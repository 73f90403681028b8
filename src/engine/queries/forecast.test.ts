import { afterAll, beforeAll, expect, it } from 'vitest'
import { spend } from '../../../test/support/job-trial.ts'
import { changed, developing, openRunTrial, type RunTrial } from '../../../test/support/run-trial.ts'
import { forecastPlaybook } from './forecast.ts'

let trial: RunTrial

beforeAll(async () => {
  trial = await openRunTrial()
  const stages = {
    implement: developing({ done: 'polish', failed: 'end.failed' }),
    polish: developing({ done: 'end.land', failed: 'end.partial' }),
  }
  await trial.write('polished', { start: 'implement', stages })
})

afterAll(() => trial[Symbol.asyncDispose]())

const forecast = (name: string) =>
  forecastPlaybook(trial.jobs.needs, { name, repositoryPath: trial.jobs.repositoryPath })

it('adds up what the visits of earlier runs cost and how they ended, and takes nothing from open ones', async () => {
  const none = await forecast('polished')
  expect(none).toMatchObject({ ok: true, value: { runs: 0, most: { visits: 2 } } })
  const { job, run } = await trial.follow('polished')
  const [session] = await trial.jobs.needs.store.read.sessions.listOfJob(job.id)
  if (session === undefined) throw new Error('nobody works')
  await spend(trial.jobs.needs.store, session, 3)
  await trial.settle(run.id, changed('1'))
  await trial.settle(run.id, { outcome: 'failed', problem: 'gave up' })
  expect(await trial.way(run.id)).toEqual(['implement: done', 'polish: failed'])
  const after = await forecast('polished')
  expect(after).toMatchObject({
    ok: true,
    value: {
      runs: 1,
      likely: { visits: 2, costUsd: 6 },
      most: { visits: 2, costUsd: 6 },
      ends: [{ end: 'partial', share: 1 }],
      roles: [{ role: 'developer', from: 'role', costUsd: 3 }],
      stages: [
        { stage: 'implement', outcomes: [{ outcome: 'done', share: 1 }] },
        { stage: 'polish', outcomes: [{ outcome: 'failed', share: 1 }] },
      ],
    },
  })
  await trial.follow('polished')
  expect(await forecast('polished')).toEqual(after)
})

it('says what is wrong with a playbook or an input', async () => {
  expect(await forecast('polishd')).toMatchObject({
    failure: { type: 'playbook-not-found', meant: 'polished' },
  })
  const given = { name: 'polished', repositoryPath: trial.jobs.repositoryPath, inputs: { n: 1 } }
  expect(await forecastPlaybook(trial.jobs.needs, given)).toMatchObject({
    failure: { type: 'playbook-input-invalid' },
  })
})
