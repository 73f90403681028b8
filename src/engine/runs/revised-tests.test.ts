import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRunPlay, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { take } from '../../../test/support/take.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { isVisitOpen, type Visit } from '../../domain/run/visit.ts'
import { continueRun } from './continue-run.ts'

// What the agents of the shipped playbook `tdd` get once a person has asked for other tests.

const WAIT_MS = 60_000

let trial: RunPlay
beforeAll(async () => {
  trial = await openRunPlay()
})
afterAll(() => trial[Symbol.asyncDispose]())

async function startTdd(): Promise<TestRun> {
  return await trial.start(
    take(await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, 'tdd'))),
  )
}

async function openVisit(run: TestRun): Promise<Visit> {
  const open = (await run.needs.store.read.visits.listOfRun(run.id)).find(isVisitOpen)
  if (open === undefined) throw new Error('no visit is open')
  return open
}

/** Ends every try of the open visit of a stage. */
async function endStage(run: TestRun, stage: string, move: Parameters<TestRun['end']>[1]): Promise<void> {
  for (let visit = await openVisit(run); visit.stage === stage; visit = await openVisit(run)) {
    await run.end(visit, move)
    run.pass(WAIT_MS)
    await continueRun(run.needs, run.id)
  }
}

/** The commit that the agent at work started from, and what it was asked. */
async function askedNow({ needs, ...run }: TestRun) {
  const visit = await openVisit({ needs, ...run })
  const { attempts, jobs } = needs.store.read
  const attempt = visit.attemptId === undefined ? undefined : await attempts.find(visit.attemptId)
  const job = attempt === undefined ? undefined : await jobs.find(attempt.jobId)
  const assignment = attempt === undefined ? undefined : await needs.assignments.find(attempt)
  if (attempt === undefined || job === undefined || assignment === undefined)
    throw new Error('no agent works')
  const prompt = await assignment.prompt(job, attempt, { isWhole: false })
  return { stage: visit.stage, base: attempt.baseCommit, prompt }
}

it.each([
  ['a person denies them', 'tests_gate'],
  ['they pass before anything is built', 'red'],
])('gives the tests to the tester again if %s', async (_, asking) => {
  const run = await startTdd()
  await endStage(run, 'tests', { outcome: 'done' })
  const [written] = await run.needs.store.read.visits.listOfRun(run.id)
  if (asking === 'red') await run.end(await openVisit(run), { outcome: 'pass' })
  else {
    await endStage(run, 'red', { outcome: 'fail' })
    await run.end(await openVisit(run), { outcome: 'denied' })
  }
  await continueRun(run.needs, run.id)
  const { stage, base, prompt } = await askedNow(run)
  expect({ stage, base }).toEqual({ stage: 'tests_revision', base: written?.commit })
  expect(prompt).toContain('tests.txt')
})

it('locks the tests of the first round and of the revision, but not what the revision removed', async () => {
  const run = await startTdd()
  const draft = (directory: string) => writeFile(path.join(directory, 'draft.txt'), 'a draft\n')
  await endStage(run, 'tests', { outcome: 'done', inTree: draft })
  await endStage(run, 'red', { outcome: 'fail' })
  await endStage(run, 'tests_gate', { outcome: 'denied' })
  const remove = async (directory: string) => await rm(path.join(directory, 'draft.txt'))
  await endStage(run, 'tests_revision', { outcome: 'done', inTree: remove })
  await endStage(run, 'red', { outcome: 'fail' })
  await endStage(run, 'tests_gate', { outcome: 'allowed' })
  const { stage, prompt } = await askedNow(run)
  const locked = prompt.slice(prompt.indexOf('## Files that you must not change'))
  expect(stage).toBe('implement')
  expect(locked).toContain('tests.txt')
  expect(locked).toContain('tests_revision.txt')
  expect(locked).not.toContain('draft.txt')
})
