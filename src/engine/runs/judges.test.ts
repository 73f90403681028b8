import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRunPlay, type Player, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { take } from '../../../test/support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import { degradationLine } from '../../domain/run/degradation.ts'
import { showRun } from '../queries/runs.ts'

let trial: RunPlay
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await temporaryDirectory('muster-judges')
  trial = await openRunPlay()
})
afterAll(async () => {
  await trial[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const prompt = './developer.md'

/** A developer, whose agents are these, and a reviewer: first `two`, then `one`. */
async function follow(name: string, developers: readonly string[]): Promise<TestRun> {
  const playbook = {
    roles: {
      developer: { mode: 'write', prompt, agents: developers },
      reviewer: { mode: 'read', prompt, agents: ['reviewer', 'worker'], unlike: 'developer' },
    },
    limits: { minutes: 240, parallel: 1 },
    start: 'work',
    stages: {
      work: {
        role: 'developer',
        sees: ['goal'],
        output: 'change',
        on: { done: 'review', failed: 'end.failed' },
      },
      review: {
        role: 'reviewer',
        sees: ['goal', 'diff'],
        output: 'review',
        on: {
          APPROVED: 'end.land',
          NEEDS_REVISION: 'end.partial',
          REJECTED: 'end.partial',
          failed: 'end.unverified',
        },
      },
    },
    result: { partial: 'keep' },
  }
  return await trial.start(await writtenPlaybook(folder.path, name, playbook))
}

/** Plays a run in which an agent never succeeds in a stage. */
const playWithout = async (run: TestRun, stage: string, agent: string) => {
  const player: Player = (visit) => {
    const isLost = visit.stage === stage && !visit.replaced.includes(agent)
    if (isLost) return { outcome: 'failed' }
    return visit.stage === 'review'
      ? { outcome: 'APPROVED', answer: { verdict: 'APPROVED', issues: [], criteria: [] } }
      : { outcome: 'done', answer: { summary: 'done' } }
  }
  const { run: over, visits } = await run.play(player)
  const tries = visits.map(async ({ id, stage: name }) => {
    const attempts = await run.needs.store.read.attempts.listOfVisit(id)
    return [name, attempts.map((attempt) => attempt.agent.name)]
  })
  return { over, agents: Object.fromEntries(await Promise.all(tries)) }
}

async function degradationOf(run: TestRun): Promise<string | undefined> {
  const { degradation } = take(await showRun(run.needs, run.id))
  return degradation && degradationLine(degradation)
}

describe('a review whose agent is lost', () => {
  it("isn't given to the agent that made the work, so the work stays unverified", async () => {
    const run = await follow('lost', ['worker'])
    const { over, agents } = await playWithout(run, 'review', 'two')
    expect(agents).toEqual({ work: ['one'], review: ['two', 'two', 'two'] })
    expect(over.state).toMatchObject({ type: 'ended', end: 'unverified' })
    expect(await degradationOf(run)).toBe('unverified; minimal (lost: reviewer; failed: review)')
  })
})

describe('work that a substitute made', () => {
  it('is reviewed by the agent that it was taken from, if that is the only other one', async () => {
    const run = await follow('taken-over', ['worker', 'reviewer'])
    const { over, agents } = await playWithout(run, 'work', 'one')
    expect(agents).toEqual({ work: ['one', 'one', 'one', 'two'], review: ['one'] })
    expect(over.state).toMatchObject({ type: 'ended', end: 'land' })
    const { errors } = take(await showRun(run.needs, run.id))
    expect(errors.map(({ action, to }) => [action, to])).toEqual([
      ['restart', undefined],
      ['restart', undefined],
      ['substitute', 'two'],
    ])
  })
})
