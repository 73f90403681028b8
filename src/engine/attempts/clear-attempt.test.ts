import { expect, it } from 'vitest'
import { openCleanupTrial } from '../../../test/support/cleanup-trial.ts'
import { exampleChange } from '../../../test/support/example-records.ts'
import { GIVE_UP_AFTER_MS } from '../../domain/limits/retry-limits.ts'
import type { Work } from '../../ports/work-queue.ts'
import { collectGarbage } from '../cleanup/collect-garbage.ts'
import { reconcile } from '../recovery/reconcile.ts'
import { treeOf } from '../trees/tree-of.ts'
import { clearSettledAttempt } from './clear-attempt.ts'

/** An ended attempt whose tree can't be collected, because the hub doesn't have the commit that it started from. */
async function openUncollectable() {
  const trial = await openCleanupTrial()
  const job = await trial.addJob()
  const baseCommit = 'd'.repeat(40)
  const { attempt } = await trial.addWork(job, { attempt: { tip: undefined as never, baseCommit } })
  const directory = treeOf(trial.needs, attempt.id)
  const { projectId: project, baseCommit: commit } = trial
  await trial.hub.trees.open({ project, directory, commit, branch: 'muster/task' })
  const logged: unknown[] = []
  const log = { ...trial.needs.log, warn: (fields: object) => void logged.push(fields) }
  const needs = { ...trial.needs, log }
  const reconciled = async () => {
    const sent: Work[] = []
    await reconcile({
      ...needs,
      adoptSession: () => undefined,
      wakeAt: () => undefined,
      send: async (work) => void sent.push(work),
    })
    return sent.filter(({ type }) => type === 'attempt-clear')
  }
  return {
    trial,
    needs,
    attemptId: attempt.id,
    directory,
    logged,
    reconciled,
    isThere: () => needs.disk.exists(directory),
    [Symbol.asyncDispose]: () => trial[Symbol.asyncDispose](),
  }
}

it('retries to collect the tree of a settled attempt for a while, then keeps it and logs that once', async () => {
  await using scene = await openUncollectable()
  const { trial, needs, attemptId, directory, logged, reconciled } = scene
  await expect(clearSettledAttempt(needs, attemptId)).rejects.toThrow('could not be pinned')
  expect(await reconciled()).toEqual([{ type: 'attempt-clear', attemptId }])
  expect(logged).toEqual([])

  trial.clock.time = new Date(trial.clock.time.getTime() + GIVE_UP_AFTER_MS)
  await clearSettledAttempt(needs, attemptId)
  await clearSettledAttempt(needs, attemptId)
  const problem = expect.stringContaining('d'.repeat(40))
  expect(logged).toEqual([{ attemptId, directory, problem }])
  expect(await reconciled()).toEqual([])
  expect(await scene.isThere()).toBe(true)
})

it('shows why a tree is kept when garbage is collected, and removes the tree once its work can be', async () => {
  await using scene = await openUncollectable()
  const { trial, attemptId } = scene
  const needs = {
    ...scene.needs,
    upkeep: trial.hub.upkeep,
    sendWork: async () => {},
    answerMessage: async () => {},
    withoutBackup: async () => false,
  }
  const collected = async () =>
    (await collectGarbage(needs, false)).find(
      ({ what, name }) => what === 'working-tree' && name === attemptId,
    )
  expect(await collected()).toMatchObject({
    isKept: true,
    reason: expect.stringContaining("its work can't be collected"),
  })
  expect(await scene.isThere()).toBe(true)
  const { store } = trial.needs
  const found = await store.read.attempts.find(attemptId)
  if (found === undefined) throw new Error('there is no attempt')
  const mended = { ...found, baseCommit: trial.baseCommit }
  await store.transact((records) => records.attempts.save(mended, exampleChange()))
  expect(await collected()).toMatchObject({ isKept: false })
  expect(await scene.isThere()).toBe(false)
})
