import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireMessage } from '../../contract/message.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_AT, SAMPLE_SESSION_ID, sampleJob, sampleNames } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const SENT: WireMessage = {
  id: 'msg_0123456789abcdefghij',
  from: 'person',
  to: 'role:reviewer',
  kind: 'text',
  type: 'review',
  priority: 'high',
  threadId: SAMPLE_RUN_ID,
  subject: '',
  body: 'look',
  metadata: {},
  requiresResponse: false,
  status: 'queued',
  createdAt: SAMPLE_AT,
}

function send(...words: readonly string[]) {
  const here = sampleJob({ repositoryPath: trial.path() })
  const answers: Readonly<Record<string, unknown>> = {
    '/api/orchestrator': { items: [here] },
    '/api/runs': { items: [sampleRun()] },
    '/api/names': sampleNames({ kind: 'run', id: SAMPLE_RUN_ID }),
    '/api/messages': SENT,
  }
  return trial.run({ answers: (_, path) => answers[path] }, ['send', ...words])
}

it('sends a message to a role of a run', async () => {
  const flags = ['--run', SAMPLE_RUN_ID, '--type', 'review', '--priority', 'high', '--subject', 'dates']
  const printed = await send('role:reviewer', 'look', ...flags)
  expect(printed).toMatchObject({
    code: 0,
    bodies: [
      {
        to: 'role:reviewer',
        runId: SAMPLE_RUN_ID,
        body: 'look',
        type: 'review',
        priority: 'high',
        subject: 'dates',
      },
    ],
  })
  expect(printed.out).toMatch(
    /^msg_\w+ sent to reviewer of run_\w+; read it with: muster .*messages run_\w+$/m,
  )
})

it.each([
  [['reviewer', 'look', '--run', SAMPLE_RUN_ID], 'role:reviewer'],
  [['broadcast', 'look', '--run', SAMPLE_RUN_ID], 'broadcast'],
  [[SAMPLE_RUN_ID, 'look'], 'broadcast'],
] as const)('sends %j to %s', async (words, to) => {
  expect(await send(...words)).toMatchObject({ code: 0, bodies: [{ to, runId: SAMPLE_RUN_ID }] })
})

it('sends a session a message instead of text if it has a type or a priority', async () => {
  const printed = await send(SAMPLE_SESSION_ID, 'look', '--priority', 'high')
  expect(printed.bodies).toEqual([{ to: SAMPLE_SESSION_ID, body: 'look', priority: 'high' }])
})
