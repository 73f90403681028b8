import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, samplePlaybook, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_APPROVAL_ID, sampleApproval } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const GATE = sampleApproval({
  runId: SAMPLE_RUN_ID,
  unusual: [],
  action: {
    type: 'gate',
    runId: SAMPLE_RUN_ID,
    playbook: 'reviewed',
    stage: 'design_gate',
    ask: 'Is this the right design?',
    shows: [],
    directory: '/srv/project',
  },
})

const PLAYBOOK = {
  ...samplePlaybook('developer'),
  stages: {
    design_gate: {
      type: 'gate',
      ask: 'Is this the right design?',
      shows: [],
      hours: 24,
      on: {
        allowed: { type: 'always', to: { type: 'stage', stage: 'implement' } },
        denied: {
          type: 'limited',
          to: { type: 'stage', stage: 'design_revision' },
          max: 2,
          beyond: { type: 'end', end: 'partial' },
        },
      },
    },
  },
}

function decide(words: readonly string[], counters: Readonly<Record<string, number>> = {}, asked = GATE) {
  const status = words[0] === 'approve' ? 'allowed' : 'denied'
  const answers: Readonly<Record<string, unknown>> = {
    [`/api/approvals/${SAMPLE_APPROVAL_ID}`]: asked,
    [`/api/runs/${SAMPLE_RUN_ID}`]: sampleRun({ counters }),
    [`/api/runs/${SAMPLE_RUN_ID}/playbook`]: PLAYBOOK,
  }
  const [command = '', ...flags] = words
  return trial.run(
    { answers: (method, path) => (method === 'POST' ? { ...asked, status } : answers[path]) },
    [command, SAMPLE_APPROVAL_ID, ...flags],
  )
}

it('says where a decision at a gate leads', async () => {
  expect((await decide(['deny'])).out).toBe('denied; the run continues at design_revision\n')
  expect((await decide(['approve'])).out).toBe('approved; the run continues at implement\n')
  const last = await decide(['deny'], { 'design_gate.denied': 2 })
  expect(last.out).toBe('denied; the run ends with end.partial\n')
})

it('says what becomes of the work if the question is about the end of a run', async () => {
  const atEnd = { ...GATE, action: { ...GATE.action, stage: 'end.unverified' } }
  expect((await decide(['approve'], {}, atEnd)).out).toBe('approved; the work goes into the merge queue\n')
  expect((await decide(['deny'], {}, atEnd)).out).toBe('denied; nothing lands, and the work is kept\n')
})
