import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRunPlay, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { isVisitOpen, type Visit } from '../../domain/run/visit.ts'
import { loadRun } from '../loaded-runs/load-run.ts'

let play: RunPlay
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await temporaryDirectory('kept-conversation')
  play = await openRunPlay()
})

afterAll(async () => {
  await play[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const stage = (role: string, sees: readonly string[], done: string) => ({
  role,
  sees,
  output: 'document',
  on: { done, failed: 'end.failed' },
})

/** An architect plans, and a developer who keeps the conversation works in three stages; `first` is what the first sees. */
async function start(name: string, first: readonly string[]): Promise<TestRun> {
  const role = { mode: 'read', prompt: './developer.md', agents: ['worker'] }
  const playbook = {
    roles: { architect: role, developer: { ...role, session: 'keep' } },
    limits: { minutes: 240, parallel: 1 },
    start: 'plan',
    stages: {
      plan: stage('architect', ['goal'], 'first'),
      first: stage('developer', first, 'second'),
      second: stage('developer', ['goal'], 'third'),
      third: stage('developer', ['goal', 'plan'], 'end.done'),
    },
  }
  return await play.start(await writtenPlaybook(folder.path, name, playbook))
}

async function working({
  id,
  needs,
}: TestRun): Promise<{ readonly visit: Visit; readonly attempt: Attempt }> {
  const loaded = await loadRun(needs.store.read, id)
  const visit = loaded?.visits.find(isVisitOpen)
  const attempt =
    visit?.attemptId === undefined ? undefined : await needs.store.read.attempts.find(visit.attemptId)
  if (visit === undefined || attempt === undefined) throw new Error('no agent is at work')
  return { visit, attempt }
}

/** As if the agent's program had reported the conversation, which can be continued then. */
async function reportConversation({ needs }: TestRun, { sessionId }: Attempt): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) throw new Error('there is no session')
  const { outOffset, errOffset, conversation } = session
  const place = { fromOut: outOffset, toOut: outOffset + 1, fromErr: errOffset, toErr: errOffset }
  await needs.store.transact((records) =>
    records.sessions.advance([
      { sessionId, ...place, events: [], conversation: { ...conversation, providerSessionId: 'a name' } },
    ]),
  )
}

/** Plays the stages before the last, and returns the prompt of the last. `kept`: whose conversations can be continued. */
async function lastPrompt(run: TestRun, kept: readonly string[]): Promise<string> {
  for (const name of ['plan', 'first', 'second']) {
    const { visit, attempt } = await working(run)
    if (kept.includes(name)) await reportConversation(run, attempt)
    const answer = { title: name, text: `the text of ${name}`, summary: `the summary of ${name}` }
    await run.end(visit, { outcome: 'done', answer })
  }
  const { attempt } = await working(run)
  const assignment = await run.needs.assignments.find(attempt)
  const job = await run.needs.store.read.jobs.find(attempt.jobId)
  if (assignment === undefined || job === undefined) throw new Error('the attempt is for nothing')
  return await assignment.prompt(job, attempt)
}

describe('the prompt of a visit that continues a conversation', () => {
  it('leaves out what the conversation has', async () => {
    const prompt = await lastPrompt(await start('whole', ['goal', 'plan']), ['first', 'second'])
    expect(prompt).toContain('We continue our conversation')
    expect(prompt).not.toContain('the text of plan')
    expect(prompt).not.toContain('write a line')
  })

  it('includes what only an earlier conversation of the role had', async () => {
    const prompt = await lastPrompt(await start('lost', ['goal', 'plan']), ['second'])
    expect(prompt).toContain('We continue our conversation')
    expect(prompt).toContain('the text of plan')
    expect(prompt).not.toContain('write a line')
  })

  it('includes a result of which the conversation has only a field', async () => {
    const prompt = await lastPrompt(await start('field', ['goal', 'plan.title']), ['first', 'second'])
    expect(prompt).toContain('the text of plan')
  })
})
