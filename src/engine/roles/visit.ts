import type { Attempt } from '../../domain/attempt/attempt.ts'
import { judgeAttempt, type LastWords } from '../../domain/attempt/judge-attempt.ts'
import { describeBrokenAnswer } from '../../domain/discovery/broken-answer.ts'
import type { Job } from '../../domain/job/job.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { hasFormat, mustChange } from '../../domain/playbook/has-format.ts'
import { describeConflictingVerdicts } from '../../domain/review/conflicting-verdicts.ts'
import { checkOwnAnswer } from '../../domain/run/check-own-answer.ts'
import { filesBeyond } from '../../domain/run/files-beyond.ts'
import { criteriaCount } from '../../domain/run/notebook.ts'
import { readOutput } from '../../domain/run/read-output.ts'
import { candidatesIn } from '../../domain/run/run-work.ts'
import { seenResults } from '../../domain/run/seen-results.ts'
import { type AcceptedVisit, taskAfterVisit } from '../../domain/run/task-after-visit.ts'
import { verdictOf } from '../../domain/run/verdict-of.ts'
import type { Visit, VisitWork } from '../../domain/run/visit.ts'
import { commentOf } from '../../domain/run/visit-answer.ts'
import { troubleOf } from '../../domain/run/visit-trouble.ts'
import { describeEndOf } from '../../domain/session/describe-session-end.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import type { Assignment } from '../assignment.ts'
import { collectWork, type FailedWork } from '../attempts/collect-work.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { readAnswer, readAnswerText } from '../attempts/read-answer.ts'
import { settleOnce } from '../attempts/settle-attempt.ts'
import { storeLearnings } from '../attempts/store-learnings.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import { changesOf, type WholeWork, wholeWork } from '../attempts/whole-work.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type VisitPromptInput, visitPrompt } from '../prompts/visit-prompt.ts'
import { advanceRun } from '../runs/advance-run.ts'
import { type AskedVisit, findAsked, findAwaited } from '../runs/find-asked.ts'
import { nudgeVisit } from '../runs/nudge-visit.ts'
import { recoverVisit, type Trouble } from '../runs/recover-visit.ts'
import { settleVisit, type VisitResult } from '../runs/store-visit.ts'
import { keptFiles, visitPromptInput } from '../runs/visit-prompt-input.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'history' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings' | 'wakeAt'
>

/** What the agent of a visit is asked to do, as the pinned playbook says. Undefined if its run is gone. */
export async function findVisitAssignment(needs: Needs, attempt: Attempt): Promise<Assignment | undefined> {
  const asked = await findAsked(needs.store.read, attempt)
  if (asked === undefined) return undefined
  const { role, stage, schema } = asked
  return {
    mode: role.mode === 'write' ? 'write' : 'read',
    startPatienceMs: SESSION_LIMITS.startPatienceMs,
    timeMs: stage.minutes * 60_000,
    ...payerOf(asked),
    ...(role.mode === 'write' ? {} : { answer: schema }),
    prompt: async (_, current, options) =>
      visitPrompt(await visitPromptInput(needs, asked, current, continuedBy(asked, current, options))),
    nudge: (_, current, sessionId) => nudgeVisit(needs, current, sessionId),
    settle: (job) => settle(needs, job, attempt, asked),
  }
}

/** A child run may spend the money of the run that it belongs to. */
function payerOf({ run, pinned }: AskedVisit): Pick<Assignment, 'payer'> {
  const isLimited = pinned.playbook.limits.usd !== undefined || run.parentId !== undefined
  return isLimited ? { payer: run.id } : {}
}

/** What the agent of an attempt remembers; undefined if it begins a conversation. */
function continuedBy(
  { visit }: AskedVisit,
  { id, continues, handoffs }: Attempt,
  options?: { readonly isWhole: boolean },
): VisitPromptInput['continued'] {
  // A session that took over from another one begins a conversation.
  if (continues === undefined || handoffs.length > 0 || options?.isWhole === true) return undefined
  // What this attempt waits for is noted too.
  const last = visit.troubles.findLast(({ attemptId }) => attemptId !== id)
  return visit.tries > 1 && last?.isContinued === true ? 'again' : 'kept'
}

type Ended = {
  readonly answer: unknown
  /** What is wrong with the agent's text if it contains no answer. */
  readonly brokenness?: string
  readonly lastWords?: LastWords
  readonly collected?: UsableWork
  readonly whole?: MeasuredWork
}

type MeasuredWork = WholeWork & { readonly tree?: string }

async function settle(needs: Needs, job: Job, attempt: Attempt, asked: AskedVisit): Promise<void> {
  const isWriter = asked.role.mode === 'write'
  const work = isWriter ? await collectWork(needs, job, attempt) : undefined
  if (work?.type === 'failed') return settleOnce(needs, attempt, rejecting(needs, work))
  const [answer, lastWords, whole] = await Promise.all([
    readAnswer(needs, attempt),
    lastWordsOf(needs, attempt),
    work === undefined ? undefined : measure(needs, asked, work),
  ])
  const brokenness = answer === undefined && !isWriter ? await brokennessOf(needs, attempt, asked) : undefined
  const ended: Ended = { answer, ...withoutUndefined({ brokenness, lastWords, collected: work, whole }) }
  await settleOnce(needs, attempt, async (records, locked, current) => {
    const pinned = work === undefined ? current : { ...current, tip: work.tip }
    await apply(needs, records, locked, pinned, ended)
    needs.crash.reach('attempt-settle.before-commit')
  })
}

async function brokennessOf(
  needs: Needs,
  attempt: Attempt,
  { schema, stage }: AskedVisit,
): Promise<string | undefined> {
  const text = (await readAnswerText(needs, attempt)) ?? ''
  const conflict = hasFormat(stage.output, 'review') ? describeConflictingVerdicts(text) : undefined
  if (conflict !== undefined) return conflict
  const fields = schema.required.map((name) => `"${name}"`)
  return text.trim() === '' ? undefined : describeBrokenAnswer(needs.settings.redaction.redact(text), fields)
}

function rejecting(needs: Needs, { cause, reason, tip }: FailedWork) {
  return async (records: Records, job: Job, current: Attempt): Promise<void> => {
    const pinned = tip === undefined ? current : { ...current, tip }
    const asked = await findAwaited(records, pinned)
    if (asked === undefined) return storeOutcome(records, pinned, { type: 'cancelled' })
    const isRefused = cause === 'refused'
    await reject(needs, records, job, pinned, asked, { trouble: troubleOf({ cause }), reason, isRefused })
  }
}

async function measure(
  needs: Needs,
  { job, run, visits }: AskedVisit,
  work: UsableWork,
): Promise<MeasuredWork> {
  const last = visits.findLast((visit) => visit.work !== undefined)?.work ?? run.continues
  const whole = await wholeWork(needs, job.projectId, run.baseCommit, work, last)
  return { ...whole, ...withoutUndefined({ tree: await needs.history.treeOf(job.projectId, work.tip) }) }
}

async function apply(
  needs: Needs,
  records: Records,
  job: Job,
  attempt: Attempt,
  ended: Ended,
): Promise<void> {
  const asked = await findAwaited(records, attempt)
  const task = asked === undefined ? undefined : await records.tasks.find(asked.run.taskId)
  if (asked === undefined || task === undefined || attempt.state.type !== 'ended') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const judged = judge(needs, asked, task, attempt.state, ended)
  if ('trouble' in judged) return await reject(needs, records, job, attempt, asked, judged)
  const verdict = verdictOf(judged.outcome, judged.answer)
  await storeOutcome(records, attempt, { type: 'accepted', ...withoutUndefined({ verdict }) })
  await settleVisit(needs, records, asked.run, asked.visit, judged)
  await storeReport(records, asked, task, attempt, { answer: ended.answer, work: judged.work, verdict })
  await advanceRun(needs, records, job, asked.run.id)
}

/** Stores what an accepted visit says about its task. */
async function storeReport(
  records: Records,
  { visit, visits, pinned }: AskedVisit,
  task: Task,
  attempt: Attempt,
  report: Pick<AcceptedVisit, 'answer' | 'work' | 'verdict'>,
): Promise<void> {
  if (report.work !== undefined) await storeLearnings(records, task, attempt, report.answer)
  const isJudgedByTask = criteriaCount(pinned.playbook, visits, visit) === 0
  const changed = taskAfterVisit(task, { ...report, branch: visit.branch, isJudgedByTask })
  if (changed === task) return
  await records.tasks.save(changed, {
    audit: { actor: 'engine', action: 'task-report', subject: task.id, detail: { visit: visit.id } },
  })
}

async function reject(
  needs: Needs,
  records: Records,
  job: Job,
  attempt: Attempt,
  asked: AskedVisit,
  trouble: Trouble,
): Promise<void> {
  await storeOutcome(records, attempt, { type: 'rejected', reason: trouble.reason })
  const end = attempt.state.type === 'ended' ? attempt.state.end : undefined
  await recoverVisit(needs, records, job, { asked, attempt, trouble: withoutUndefined({ ...trouble, end }) })
  await advanceRun(needs, records, job, asked.run.id)
}

/** A visit without a commit counts as one that changed nothing, and what it took back would land. */
const TAKES_ALL_BACK =
  'it took back everything that the run had changed. If the work can only be given up, say so and exit with an error'

/** Whether a visit did what its stage asks for. An agent's claim that it is done isn't enough. */
function judge(
  needs: Needs,
  asked: AskedVisit,
  task: Task,
  state: Extract<Attempt['state'], { type: 'ended' }>,
  { answer, brokenness, lastWords, collected, whole }: Ended,
): VisitResult | Trouble {
  const { stage, visits, visit, pinned, schema } = asked
  if (visit.state.type === 'working' && visit.state.isOutOfQuota === true) {
    return { trouble: 'quota', reason: describeEndOf('the agent', state.end) }
  }
  if (visit.state.type === 'working' && visit.state.isUnready === true) {
    return { trouble: 'unstartable', reason: describeEndOf('the agent', state.end) }
  }
  const judgement = judgeAttempt(state, !mustChange(stage.output) || whole?.hasChanged === true, lastWords)
  if (judgement.type === 'rejected') {
    return { trouble: troubleOf(judgement), reason: judgement.detail ?? judgement.reason }
  }
  const unusable = unusableWork(asked, collected, whole)
  if (unusable !== undefined) return { trouble: 'invalid', reason: unusable }
  const read = readOutput(stage, answer, {
    candidates: candidatesIn(visit.inputs, visits).length,
    // Without criteria of its own, a run is judged by those of its task.
    criteria: criteriaCount(pinned.playbook, visits, visit) || task.successCriteria.length,
    checkOwn: (given) => checkOwnAnswer(schema, given),
  })
  if (!read.ok) return { trouble: 'invalid', reason: brokenness ?? read.failure }
  return { ...read.value, ...workIn(needs, asked, task, collected, whole) }
}

/** Why the work of a visit can't count, although its agent did something. */
function unusableWork(
  asked: AskedVisit,
  collected: UsableWork | undefined,
  whole: MeasuredWork | undefined,
): string | undefined {
  if (collected !== undefined && collected.files.length > 0 && whole?.hasChanged !== true) {
    return TAKES_ALL_BACK
  }
  const touched = touchedFiles(asked, collected)
  if (touched.length === 0) return undefined
  return `it changed files that it must leave as they are: ${touched.slice(0, 5).join(', ')}`
}

function touchedFiles({ stage, visits }: AskedVisit, collected: UsableWork | undefined): readonly string[] {
  if (stage.keeps === undefined || collected === undefined) return []
  const kept = keptFiles(visits, stage.keeps)
  return collected.files.filter((file) => kept.includes(file))
}

function workIn(
  needs: Needs,
  asked: AskedVisit,
  task: Task,
  collected: UsableWork | undefined,
  whole: MeasuredWork | undefined,
): Pick<Visit, 'commit' | 'work'> {
  if (collected === undefined || whole?.hasChanged !== true) return {}
  const work: VisitWork = {
    files: whole.files,
    commits: whole.commits,
    changes: changesOf(needs, task, whole),
    omissions: collected.omissions,
    ...withoutUndefined({ tree: whole.tree }),
    ...beyondScope(asked, collected),
  }
  return { commit: collected.tip, work }
}

/** If a person asked for something, or nobody did, the scope doesn't say what the work should stay within. */
function beyondScope(asked: AskedVisit, { files }: UsableWork): Pick<VisitWork, 'beyondScope'> {
  const { stage, visits, visit } = asked
  if (stage.scope === undefined || hasComment(asked)) return {}
  const [scope] = seenResults(visits, visit, stage.scope)
  const isEmpty = scope === undefined || (Array.isArray(scope.value) && scope.value.length === 0)
  return isEmpty ? {} : { beyondScope: filesBeyond(scope.value, files) }
}

function hasComment({ pinned, stage, visits, visit }: AskedVisit): boolean {
  const gates = stage.sees.filter(({ of }) => pinned.playbook.stages[of]?.type === 'gate')
  return gates
    .flatMap(({ of }) => seenResults(visits, visit, { of }))
    .some(({ value }) => commentOf(value) !== '')
}
