import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, exampleJob, exampleSession, ids } from '../../../../test/support/example-records.ts'
import { NO_ASSIGNMENTS } from '../../../../test/support/no-assignments.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import { NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { planOf } from './plan-of.ts'
import type { ClearNeeds, PlanNeeds } from './session-plan.ts'

const agent = { name: 'one', provider: 'command', roles: [], env: [] }
const END = { type: 'exited', code: 0 } as const
let database: Kysely<Database>
let store: Store
let needs: PlanNeeds

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const settings: Partial<EngineSettings> = {
    treesDirectory: '/trees',
    passedEnvironment: {},
    daemonUrl: () => '',
    tokenOf: () => '',
  }
  needs = {
    store,
    settings: settings as EngineSettings,
    clock: { now: () => new Date() },
    assignments: NO_ASSIGNMENTS,
  }
})

afterAll(() => database.destroy())

function outsideOfJobs(fields: Partial<Session>): Session {
  const { jobId: _, ...session } = exampleSession(exampleJob(), fields)
  return session
}

/** Stores a personal session that has ended, and a question to it. */
async function stored(
  conversation: Session['conversation'],
): Promise<{ readonly asked: Session; readonly query: Session }> {
  const projectId = ids.next('project')
  const asked = outsideOfJobs({
    conversation,
    state: { type: 'terminated', end: END },
    purpose: {
      type: 'personal',
      projectId,
      repositoryPath: '/nowhere',
      baseCommit: 'a'.repeat(40),
      tip: 'b'.repeat(40),
      branch: 'muster/mine',
      agent,
      sandbox: USUAL_SANDBOX,
      setup: ['make'],
      prompt: 'grow',
    },
  })
  const query = outsideOfJobs({
    state: { type: 'terminated', end: END },
    conversation: { ...NO_CONVERSATION, turn: { type: 'done', text: 'because' } },
    purpose: {
      type: 'query',
      of: asked.id,
      question: 'why?',
      agent,
      timeMs: 1_000,
      replyTo: ids.next('message'),
    },
  })
  await store.transact(async (records) => {
    await records.sessions.insert(asked, exampleChange())
    await records.sessions.insert(query, exampleChange())
  })
  return { asked, query }
}

describe('the plan of a question', () => {
  it('continues the conversation of the session that is asked, where that left its work', async () => {
    const { asked, query } = await stored({ ...NO_CONVERSATION, providerSessionId: 'thread-1' })
    const plan = planOf(query)
    expect(await plan.findWorkplace(needs)).toMatchObject({
      tree: { directory: `/trees/${asked.id}`, commit: 'b'.repeat(40) },
      conversation: 'thread-1',
      setup: [],
      timeMs: 1_000,
    })
    expect(await plan.firstPrompt(needs)).toBe('why?')
    expect(await plan.findBase({ store })).toMatchObject({ commit: 'a'.repeat(40) })
  })

  it('has no workplace when there is no conversation to continue', async () => {
    const { query } = await stored(NO_CONVERSATION)
    expect(await planOf(query).findWorkplace(needs)).toBeUndefined()
  })

  it('gives the answer to who asked, and lets the session that was asked be cleared', async () => {
    const { asked, query } = await stored({ ...NO_CONVERSATION, providerSessionId: 'thread-1' })
    const answers: string[] = []
    const sent: Work[] = []
    const clearNeeds: Partial<ClearNeeds> = {
      store,
      answerMessage: async (_, text) => {
        answers.push(text)
      },
      sendWork: async (work) => {
        sent.push(work)
      },
    }
    await planOf(query).clear(clearNeeds as ClearNeeds)
    expect(answers).toEqual(['because'])
    expect(sent).toEqual([{ type: 'session-clear', sessionId: asked.id }])
  })
})
