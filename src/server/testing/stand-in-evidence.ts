import { buildReport } from '../../domain/report/build-report.ts'
import type { Report } from '../../domain/report/report.ts'
import { failure, success } from '../../domain/result.ts'
import type { EvidenceCommands } from '../../engine/reports/evidence-commands.ts'
import type { WorkDiff } from '../../engine/reports/work-diff.ts'
import {
  NOW,
  sampleAttempt,
  sampleId,
  sampleJob,
  sampleLanding,
  sampleSession,
  sampleTask,
} from './sample-records.ts'

/** Notes what was asked about work; what has other ids than the samples is refused, so that refusals can be seen. */
export function createStandInEvidence(acts: string[]): EvidenceCommands {
  const diff = async (subject: string, known: string) => {
    acts.push(`diff ${subject}`)
    return subject === known
      ? success(sampleDiff(subject))
      : failure({ type: 'no-work', subject, problem: 'nothing' } as const)
  }
  return {
    async reports({ jobId, projectId, limit }) {
      acts.push(`reports ${jobId} ${projectId} ${limit}`)
      return success([sampleReport()])
    },
    diffOfTask: (taskId) => diff(taskId, sampleId('task', 1)),
    diffOfApproval: (approvalId) => diff(approvalId, sampleId('approval')),
    diffOfJob: (jobId) => diff(jobId, sampleId('job')),
    async merge(jobId) {
      acts.push(`merge ${jobId}`)
      return failure({ type: 'nothing-landed', jobId })
    },
    mergeOf: async () => success({ job: sampleJob(), state: { type: 'none' }, warnings: [] }),
  }
}

function sampleReport(): Report {
  return buildReport({
    job: sampleJob(),
    clauses: ['with leaves'],
    tasks: [sampleTask(1)],
    attempts: [sampleAttempt],
    landings: [sampleLanding],
    candidates: [],
    sessions: [sampleSession()],
    approvals: [],
    questions: [],
    plannerBlockers: ['no water'],
    trees: new Map(),
    isDelivered: false,
    now: NOW,
  })
}

function sampleDiff(subject: string): WorkDiff {
  return {
    subject,
    from: 'a'.repeat(40),
    to: 'b'.repeat(40),
    files: [{ path: 'seed.txt', added: 1, removed: 0, isBinary: false }],
    omittedFiles: 0,
    patch: '+a seed\n',
    isCut: false,
    gitDirectory: '/hubs/garden.git',
  }
}
