import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleEvent, sampleJob, sampleTask } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)
const LINES = 80
const report = { name: 'synthesis', text: `# Weeks\n\n${'A line.\n'.repeat(LINES)}The end of the report.` }
const run = sampleRun({
  ...{ playbook: 'research', status: 'ended', end: 'done', progress: 1, documents: [report] },
  next: [{ purpose: 'read the whole result', command: `muster export ${SAMPLE_RUN_ID}` }],
})
const playbook = { name: 'research', hash: 'h', inputs: {}, cast: {} }
const job = sampleJob({ status: 'completed', reason: 'task-completed', playbook })
const found: Readonly<Record<string, unknown>> = {
  [`/api/orchestrator/${SAMPLE_JOB_ID}`]: job,
  '/api/tasks': { items: [sampleTask({ status: 'completed', playbook: 'research' })] },
  '/api/runs': { items: [run] },
}
const ended = sampleEvent('job_completed', { data: { reason: 'task-completed' } })

it('ends with the document that a job was for, and with where it can be read again', async () => {
  const options = { answers: (_: string, path: string) => found[path], events: [ended], ends: true }
  const printed = await trial.run(options, ['watch', SAMPLE_JOB_ID])
  expect(printed).toMatchObject({ code: 0 })
  expect(printed.out).toContain('\n# Weeks\n\nA line.\n')
  expect(printed.out).toContain('The end of the report.\n')
  expect(printed.out).not.toContain('nothing landed')
  expect(printed.out).toMatch(/next:\n {2}read the whole result: muster .*export run_\w+/)
})
