import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRunPlay, type RunPlay } from '../../../test/support/played-run.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import type { SessionId } from '../../domain/id.ts'

let play: RunPlay
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await temporaryDirectory('handed-over')
  play = await openRunPlay()
})

afterAll(async () => {
  await play[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const note: HandoffNote = {
  ...{ from: 'ses_1' as SessionId, fromAgent: 'ada', to: 'ada', reason: 'context', at: '' },
  ...{ summary: 'parsed weeks', nextSteps: 'parse months' },
}

/** The prompt of the successor of the session that works at the only stage of a playbook. */
async function promptAfterHandoff(mode: 'read' | 'write', output: string, on: object): Promise<string> {
  const playbook = {
    roles: { worker: { mode, prompt: './developer.md', agents: ['worker'] } },
    start: 'work',
    stages: { work: { role: 'worker', from: 'head', sees: ['goal'], output, on } },
  }
  const run = await play.start(await writtenPlaybook(folder.path, output, playbook))
  const [visit] = await run.needs.store.read.visits.listOfRun(run.id)
  const attempt =
    visit?.attemptId === undefined ? undefined : await run.needs.store.read.attempts.find(visit.attemptId)
  const assignment = attempt && (await run.needs.assignments.find(attempt))
  const job = attempt && (await run.needs.store.read.jobs.find(attempt.jobId))
  if (attempt === undefined || assignment === undefined || job === undefined)
    throw new Error('no agent is at work')
  return await assignment.prompt(job, { ...attempt, handoffs: [note] })
}

it('get the note if they make work', async () => {
  const prompt = await promptAfterHandoff('write', 'change', { done: 'end.land', failed: 'end.failed' })
  expect(prompt).toContain('Next steps: parse months')
})

it('get no note if they judge, because it could say what to answer', async () => {
  const on = {
    APPROVED: 'end.done',
    NEEDS_REVISION: 'end.partial',
    REJECTED: 'end.partial',
    failed: 'end.failed',
  }
  expect(await promptAfterHandoff('read', 'review', on)).not.toContain('parse months')
})
