import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRunPlay, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { take } from '../../../test/support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import type { ApprovalId } from '../../domain/id.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { continueRun } from './continue-run.ts'

let play: RunPlay
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await temporaryDirectory('continue-run')
  play = await openRunPlay()
})

afterAll(async () => {
  await play[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Two branches, each of which asks a person when its answer is invalid. */
const ASKING = {
  roles: { developer: { mode: 'read', prompt: './developer.md', agents: ['worker'] } },
  limits: { minutes: 240, parallel: 2 },
  start: 'look',
  stages: {
    look: {
      role: 'developer',
      times: 2,
      sees: ['goal'],
      output: 'findings',
      on: { some: 'end.done', none: 'end.failed' },
    },
  },
  recover: { invalid: ['escalate'] },
}

const visitsOf = ({ id, needs }: TestRun) => needs.store.read.visits.listOfRun(id)

function askedBy(visit: Visit | undefined): ApprovalId {
  if (visit?.state.type !== 'asking') throw new Error('the visit asks nobody')
  return visit.state.approvalId
}

describe('a run with two branches in trouble', () => {
  it.each(['abort, then try again', 'try again, then abort'])(
    'ends if both questions are answered before it continues: %s',
    async (order) => {
      const run = await play.start(await writtenPlaybook(folder.path, order.replaceAll(/\W+/g, '-'), ASKING))
      const broken = { outcome: 'done', answer: { nonsense: 1 } } as const
      for (const visit of await visitsOf(run)) await run.end(visit, broken)
      const questions = (await visitsOf(run)).map(askedBy)
      const [aborted, retried] = order.startsWith('abort') ? questions : questions.toReversed()
      if (aborted === undefined || retried === undefined) throw new Error('two branches should ask')
      const { needs } = run
      take(await decideApproval(needs, aborted, { type: 'approval-deny', by: 'ada', aborts: true }))
      take(await decideApproval(needs, retried, { type: 'approval-allow', by: 'ada' }))
      await continueRun(needs, run.id)
      expect((await needs.store.read.runs.find(run.id))?.state).toMatchObject({
        type: 'ended',
        end: 'failed',
      })
      const states = (await visitsOf(run)).map(({ state }) => state.type)
      expect(states.toSorted()).toEqual(['cancelled', 'settled'])
    },
  )
})
