import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireBase } from '../client/index.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import {
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  SAMPLE_TASK_ID,
  sampleApproval,
  sampleJob,
  sampleLanding,
  sampleNames,
  sampleSession,
  sampleTask,
} from './testing/sample-wire.ts'
import { openStandInApi } from './testing/stand-in-api.ts'

const COLUMNS = 60
const LONG = 'npm run test:all -- --reporter=verbose --coverage --max-workers 4 && npm run lint -- --cache'

const trial = createCommandTrial(temporaryDirectory)

const base: WireBase = {
  jobId: SAMPLE_JOB_ID,
  branch: 'main',
  commit: 'a'.repeat(40),
  status: 'asking',
  results: [
    {
      command: 'npm install --no-package-lock --no-audit --no-fund',
      passed: true,
      isSetup: true,
      detail: '',
    },
    { command: LONG, passed: false, isSetup: false, detail: 'exited with code 1' },
  ],
  choices: ['continue', 'fix', 'stop'],
}

const check = sampleSession({
  agent: LONG,
  role: 'check',
  jobId: SAMPLE_JOB_ID,
  status: 'terminated',
  purpose: { type: 'check', candidateId: 'cnd_1', index: 0 },
  end: { type: 'unprepared', command: 'npm install --no-package-lock --no-audit --no-fund', code: 1 },
})

const approval = sampleApproval({
  summary: `t1-1 wants to run: ${LONG}\ngit commit --message 'Add TWO.md and say in it what the second one is for'`,
  action: {
    type: 'tool-use',
    tool: 'Bash',
    input: {
      command: LONG,
      description: 'Run every test of the project and then look for what the linter finds',
    },
    directory: '/trees/one',
    reason: 'the command is not one of those that this agent may run without asking a person',
  },
})
const rule = {
  id: `rul_${'1'.repeat(20)}`,
  approvalId: approval.id,
  scope: 'session',
  jobId: SAMPLE_JOB_ID,
  agent: 'ada',
  allows: approval.scopes.session,
  by: 'eve',
  status: 'active',
  createdAt: approval.createdAt,
}

const checks = [{ command: LONG, passed: false, detail: 'oh', tree: 'd'.repeat(40) }]
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/api/names': sampleNames(),
  '/api/approvals': { items: [approval] },
  [`/api/approvals/${approval.id}`]: approval,
  '/api/approval-rules': { items: [rule] },
  '/api/sessions': { items: [sampleSession(), check] },
  '/api/tasks': { items: [sampleTask()] },
  [`/api/tasks/${SAMPLE_TASK_ID}`]: { ...sampleTask(), attempts: [], landings: [sampleLanding({ checks })] },
  [`/api/sessions/${SAMPLE_SESSION_ID}`]: check,
  [`/api/orchestrator/${SAMPLE_JOB_ID}`]: sampleJob({ checks: [LONG, 'npm run build -- --mode production'] }),
  [`/api/orchestrator/${SAMPLE_JOB_ID}/base`]: base,
}

it.each([
  [['list', 'sessions']],
  [['list', 'sessions', '--all']],
  [['base', SAMPLE_JOB_ID]],
  [['show', SAMPLE_JOB_ID]],
  [['show', SAMPLE_TASK_ID]],
  [['show', SAMPLE_SESSION_ID]],
  [['approvals']],
  [['approvals', '--rules']],
  [['show', approval.id]],
])('%j fits a terminal of 60 columns although its commands are long', async (words) => {
  const stdout = Object.assign(new PassThrough(), { columns: COLUMNS })
  await using api = await openStandInApi({ answers: (_, path) => ANSWERS[path] })
  expect(await trial.start(api, trial.surroundings({ stdout }), words)).toBe(0)
  const lines = String(stdout.read()).split('\n')
  // A command of Muster's own is on a line of its own, so that it can be pasted.
  const isOwn = (line: string) => /^ *(?:(?:try|revoke:) +)?muster --home /.test(line)
  expect(lines.filter((line) => line.length > COLUMNS && !isOwn(line))).toEqual([])
})
