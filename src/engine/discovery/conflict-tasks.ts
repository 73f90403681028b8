import { chainOf, openConflicts } from '../../domain/discovery/conflict-chain.ts'
import { conflictDraft, type OriginatedDraft } from '../../domain/discovery/conflict-draft.ts'
import { conflictAbandoned } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import { landedCommit } from '../../domain/task/task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

export type ConflictTasks = {
  /** Tasks that merge conflicting work with what has landed. */
  readonly drafts: readonly OriginatedDraft[]
  /** Tasks whose conflict was merged too often without success, with advice for a person. */
  readonly stuck: readonly { readonly task: Task; readonly suggestion: string }[]
}

/**
 * The tasks that resolve conflicts of earlier cycles, independent of the planner. It is safe to read them before the
 * job is locked: only a later discovery handles a conflict, and each discovery is settled once.
 */
export async function findConflictTasks(
  needs: Pick<EngineNeeds, 'store' | 'history' | 'commits'>,
  job: Job,
  head: string,
): Promise<ConflictTasks> {
  const tasks = await needs.store.read.tasks.listOfJob(job.id)
  const { mergeable, stuck } = openConflicts(tasks)
  const drafts: OriginatedDraft[] = []
  for (const task of mergeable) {
    const landing = await conflictedLanding(needs, task)
    if (landing !== undefined) drafts.push(await draftOf(needs, job, head, { task, tasks, landing }))
  }
  const landings = await Promise.all(stuck.map((task) => conflictedLanding(needs, task)))
  return {
    drafts,
    stuck: stuck.flatMap((task, index) => {
      const landing = landings[index]
      return landing === undefined ? [] : [{ task, suggestion: adviceFor(job, task, landing) }]
    }),
  }
}

/** Stores advice on conflicts that Muster no longer merges. A second call changes nothing. */
export async function storeStuckConflicts(records: Records, stuck: ConflictTasks['stuck']): Promise<void> {
  for (const { task, suggestion } of stuck) {
    const current = await records.tasks.find(task.id)
    if (current?.state.type !== 'blocked' || current.state.suggestion === suggestion) continue
    const state = nextTaskState(current.state, { type: 'conflict-abandon', suggestion })
    if (!state.ok) continue
    await records.tasks.save(
      { ...current, state: state.value },
      {
        audit: { actor: 'engine', action: 'conflict-abandon', subject: current.id, detail: {} },
        events: [conflictAbandoned(current, suggestion)],
      },
    )
  }
}

/** The landing whose tip is the conflicting work. */
async function conflictedLanding(
  needs: Pick<EngineNeeds, 'store'>,
  task: Task,
): Promise<Landing | undefined> {
  const landings = await needs.store.read.landings.listOfTask(task.id)
  return landings.findLast(({ state }) => state.type === 'conflicted') ?? landings.at(-1)
}

type Conflict = { readonly task: Task; readonly tasks: readonly Task[]; readonly landing: Landing }

async function draftOf(
  needs: Pick<EngineNeeds, 'history' | 'commits'>,
  job: Job,
  head: string,
  { task, tasks, landing }: Conflict,
): Promise<OriginatedDraft> {
  const { tip } = landing
  const paths = task.state.type === 'blocked' ? task.state.paths : []
  // The agent can merge the commit without the files' text, which only saves it a look.
  const files = await needs.commits.conflictedFiles(job.projectId, head, tip)
  return conflictDraft({
    task,
    first: chainOf(task, tasks).at(-1) ?? task,
    tip,
    paths,
    branch: job.workingBranch,
    landed: await landedSince(
      needs,
      job,
      tip,
      tasks.filter((other) => hasTouched(other, paths)),
    ),
    files: files.ok ? files.value : [],
  })
}

function hasTouched(task: Task, paths: readonly string[]): boolean {
  return task.filesModified.some((path) => paths.includes(path))
}

/** The tasks that landed and that the conflicting work does not contain yet. */
async function landedSince(
  needs: Pick<EngineNeeds, 'history' | 'commits'>,
  job: Job,
  tip: string,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  const landed: Task[] = []
  for (const task of tasks) {
    const commit = landedCommit(task.state)
    if (commit === undefined) continue
    if (!(await needs.history.isAncestor(job.projectId, commit, tip))) landed.push(task)
  }
  return landed
}

function adviceFor(job: Job, task: Task, landing: Landing): string {
  return [
    'it was merged three times and conflicted again each time:',
    `see it with \`muster diff ${task.id}\` and merge commit ${landing.tip} into ${job.workingBranch} by hand`,
  ].join(' ')
}
