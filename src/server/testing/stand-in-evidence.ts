import { parseId } from '../../domain/id.ts'
import { buildReport } from '../../domain/report/build-report.ts'
import type { Report } from '../../domain/report/report.ts'
import { failure, success } from '../../domain/result.ts'
import type { WorkDiff } from '../../engine/queries/diff/work-diff.ts'
import type { Queries } from '../../engine/queries/queries.ts'
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
export function createStandInEvidence(acts: string[]): Pick<Queries, 'reports' | 'diff' | 'merge'> {
  const diff = async (subject: string, known: string) => {
    acts.push(`diff ${subject}`)
    return subject === known
      ? success(sampleDiff(subject))
      : failure({ type: 'no-work', subject, problem: 'nothing' } as const)
  }
  return {
    async reports({ job, project, limit }) {
      acts.push(`reports ${job} ${project} ${limit}`)
      if (job === 'nonsense') return failure({ type: 'job-not-found', jobId: job })
      if (project === 'nonsense') return failure({ type: 'not-found', what: 'project', id: project })
      return success([sampleReport()])
    },
    async diff({ of, id }) {
      if (parseId(of, id) === undefined) return failure({ type: 'not-found', what: of, id })
      return diff(id, of === 'task' ? sampleId('task', 1) : sampleId(of))
    },
    merge: async () => success({ job: sampleJob(), state: { type: 'none' }, warnings: [] }),
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
