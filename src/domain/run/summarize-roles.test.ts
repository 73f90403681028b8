import { beforeAll, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleJob,
  exampleSession,
  exampleVisit,
  ids,
} from '../../../test/support/example-records.ts'
import { playbooks, readShipped } from '../../../test/support/run-play.ts'
import { NO_CONVERSATION } from '../session/conversation-state.ts'
import { summarizeRoles } from './summarize-roles.ts'
import { summarizeStages } from './summarize-stages.ts'

beforeAll(readShipped)

const job = exampleJob()
const at = (second: number) => new Date(second * 1000)
const run = { id: ids.next('run') }
const taskId = ids.next('task')

const taken = exampleVisit({ ordinal: 1, taken: { visitId: ids.next('visit') } })
const review = exampleVisit({
  ordinal: 3,
  stage: 'review',
  createdAt: at(10),
  endedAt: at(40),
  state: { type: 'settled', outcome: 'APPROVED' },
})
const purpose = {
  type: 'visit',
  taskId,
  runId: run.id,
  visitId: review.id,
  makesWork: false,
  judges: true,
} as const
const attempt = exampleAttempt(job, { purpose })
const usage = { ...NO_CONVERSATION.usage, costUsd: 0.25, inputTokens: 10, outputTokens: 5 }
const session = exampleSession(job, {
  purpose: { type: 'attempt', attemptId: attempt.id },
  startedAt: at(12),
  endedAt: at(30),
  conversation: { ...NO_CONVERSATION, usage },
})

function reviewed() {
  const playbook = playbooks.get('reviewed')
  if (playbook === undefined) throw new Error('there is no playbook reviewed')
  return playbook
}

it('adds up what each role did, without what was taken from another run', () => {
  const runs = [{ run, playbook: reviewed(), visits: [taken, review] }]
  const effort = { attempts: [attempt], sessions: [session], now: at(100) }
  expect(summarizeRoles(runs, effort)).toEqual([
    {
      playbook: 'reviewed',
      role: 'reviewer',
      agents: ['one'],
      visits: 1,
      tries: 1,
      durationMs: 18_000,
      cost: { costUsd: 0.25, inputTokens: 10, outputTokens: 5, unpriced: 0, unpricedSessions: [] },
    },
  ])
})

it('lists where a stage that only chooses a route led', () => {
  const to = (stage: string) => ({ type: 'stage', stage }) as const
  const route = {
    type: 'choose',
    cases: [{ condition: [], to: to('design') }],
    otherwise: to('build'),
  } as const
  const chose = (ordinal: number, outcome: '0' | 'else') =>
    exampleVisit({ ordinal, stage: 'route', state: { type: 'settled', outcome }, endedAt: new Date(0) })
  const summary = summarizeStages({ stages: { route } }, [chose(1, '0'), chose(2, 'else')], at(60))
  expect(summary).toMatchObject([{ outcomes: ['0', 'else'], chosen: ['design', 'build'] }])
})

it('lists the outcomes of each stage in order, and how long it took', () => {
  const again = exampleVisit({ ordinal: 4, stage: 'review', createdAt: at(50), state: { type: 'working' } })
  expect(summarizeStages(reviewed(), [taken, review, again], at(60))).toEqual([
    { stage: 'implement', visits: 1, outcomes: ['done'], durationMs: 0 },
    { stage: 'review', visits: 2, outcomes: ['APPROVED'], durationMs: 40_000 },
  ])
})
