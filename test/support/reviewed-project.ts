import { expect } from 'vitest'
import type { MusterClient, WireJob } from '../../src/client/index.ts'
import { shellProject } from './command-agents.ts'
import { tasksOf } from './run-job.ts'
import { waitForJob } from './test-daemon.ts'
import type { TestRepository } from './test-repository.ts'

/** Adds a line in every round. The line says whether the prompt shows what the reviewer asks for. */
const WORKER = [
  'if grep -q "one more line" "$MUSTER_PROMPT_FILE"; then echo revised >> lines.txt',
  'else echo first >> lines.txt; fi',
  'git add lines.txt; git commit -q -m "Add a line"',
  `echo '{"type":"result","summary":"added a line","criteria":[{"criterion":1,"evidence":"I wrote it"}],"learnings":["lines are short"]}'`,
].join('\n')

const answer = (verdict: string, fields: object) =>
  `echo '${JSON.stringify({ type: 'result', verdict, ...fields })}'`

/** A reviewer's command that approves. */
export const APPROVE = answer('APPROVED', {
  criteria: [{ criterion: 1, met: true, evidence: 'lines.txt in the tree' }],
})

/** A reviewer's command that asks for changes. */
export const REVISE = answer('NEEDS_REVISION', {
  issues: [
    { severity: 'major', location: 'lines.txt', issue: 'too short', suggestion: 'write one more line' },
  ],
})

/** A reviewer's command that asks for changes until the file has so many lines. */
export const approveLines = (count: number) =>
  `if [ "$(grep -c . lines.txt)" -ge ${count} ]; then ${APPROVE}; else ${REVISE}; fi`

/** A project with one task, whose work is judged by a reviewer that runs this command. */
export function reviewedProject(reviewer: string, worker = WORKER) {
  const extra = { successCriteria: ['lines.txt has lines'] }
  const files = shellProject([{ description: 'write lines', script: worker, extra }], {
    limits: { maxCycles: 1 },
  })
  const configuration = JSON.parse(files['muster.yaml'])
  return {
    ...files,
    'tools/reviewer.sh': `set -e\ngrep -q 'lines.txt has lines' "$MUSTER_PROMPT_FILE"\necho mine > junk.txt\n${reviewer}\n`,
    'muster.yaml': JSON.stringify({
      ...configuration,
      mode: 'review',
      agents: {
        ...configuration.agents,
        critic: { provider: 'command', command: ['/bin/sh', 'tools/reviewer.sh'], roles: ['reviewer'] },
      },
      roles: { reviewer: { agent: 'critic' } },
    }),
  }
}

/** Waits for a job whose reviewer approves three lines, and expects each round on top of the one before. */
export async function expectRevisedTwice(
  client: MusterClient,
  repository: TestRepository,
  jobId: string,
): Promise<WireJob> {
  const job = await waitForJob(client, jobId)
  const [task] = await tasksOf(client, jobId)
  expect(task).toMatchObject({
    status: 'completed',
    rounds: 2,
    retryCount: 0,
    criteria: [{ number: 1, isMet: true, evidence: 'lines.txt in the tree', by: 'reviewer' }],
    filesModified: ['lines.txt'],
  })
  expect(task?.commitsMade).toHaveLength(3)
  const lines = await repository.git('show', `${job.workingBranch}:lines.txt`)
  expect(lines.split('\n')).toEqual(['first', 'revised', 'revised'])
  return job
}
