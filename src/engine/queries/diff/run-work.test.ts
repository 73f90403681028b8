import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRunPlay, type Player, type RunPlay } from '../../../../test/support/played-run.ts'
import { answerFor } from '../../../../test/support/stage-words.ts'
import { take } from '../../../../test/support/take.ts'
import { createFolderPlaybooks } from '../../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { restoreWork } from '../../cleanup/restore-work.ts'
import { compareRuns } from './compare-runs.ts'
import { showDiff } from './diff.ts'

let trial: RunPlay

beforeAll(async () => {
  trial = await openRunPlay()
})

afterAll(() => trial[Symbol.asyncDispose]())

/** Three tries of which the last one fails its checks. `pick`: how the judge ends, who prefers the first it sees. */
async function bestOfThree(pick: 'done' | 'failed') {
  const folder = take(await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, 'best-of')))
  const player: Player = (visit, stage) => {
    if (stage.type !== 'role') return { outcome: visit.branch === 3 ? 'fail' : 'pass' }
    const outcome = visit.stage === 'pick' ? pick : 'done'
    return { outcome, answer: answerFor(folder.playbook, stage, outcome) }
  }
  const started = await trial.start(folder)
  const { run, visits } = await started.play(player)
  const made = (branch: number) => visits.find((visit) => visit.stage === 'try' && visit.branch === branch)
  return { needs: started.needs, run, visits, rejected: made(3)?.commit }
}

it('shows, restores and compares the try that was chosen, not the last one', async () => {
  const { needs, run, visits, rejected } = await bestOfThree('done')
  const { work } = run.state as { readonly work?: string }
  const landing = visits.find(({ id }) => id === work)?.commit
  expect(landing).toBeDefined()
  expect(landing).not.toBe(rejected)
  expect(take(await showDiff(needs, { of: 'task', id: run.taskId })).to).toBe(landing)
  for (const id of [run.taskId, run.id]) {
    expect(take(await restoreWork(needs, id)).work.commit).toBe(landing)
  }
  const compared = take(await compareRuns(needs, { a: run.id, b: run.id, withPatch: false }))
  expect(compared.a.commit).toBe(landing)
})

it('shows and restores the work that a person is asked about', async () => {
  const { needs, run, visits, rejected } = await bestOfThree('failed')
  if (run.state.type !== 'asking') throw new Error(`the run is ${run.state.type}`)
  const { work, approvalId } = run.state
  const asked = visits.find(({ id }) => id === work)?.commit
  expect(asked).not.toBe(rejected)
  expect(take(await showDiff(needs, { of: 'approval', id: approvalId })).to).toBe(asked)
  expect(take(await showDiff(needs, { of: 'task', id: run.taskId })).to).toBe(asked)
  expect(take(await restoreWork(needs, run.id)).work.commit).toBe(asked)
})
