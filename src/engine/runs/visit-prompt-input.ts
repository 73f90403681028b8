import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import type { Reference } from '../../domain/playbook/reference.ts'
import type { RoleStage } from '../../domain/playbook/stage.ts'
import { toolsInStage } from '../../domain/playbook/tools-in-stage.ts'
import {
  isResultKnown,
  newInNotebook,
  visitsInConversation,
  wasShown,
} from '../../domain/run/known-in-conversation.ts'
import { type Notebook, notebookFor } from '../../domain/run/notebook.ts'
import { candidatesIn, commitOfRun, newestWork } from '../../domain/run/run-work.ts'
import { seenResults } from '../../domain/run/seen-results.ts'
import { newestEntry } from '../../domain/run/seen-visits.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { checkAnswerOf, commentOf } from '../../domain/run/visit-answer.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { Candidate, Seen, SeenAnswer, SeenDiff } from '../prompts/seen-section.ts'
import type { VisitPromptInput } from '../prompts/visit-prompt.ts'
import { earlierTries } from './earlier-tries.ts'
import type { AskedVisit } from './find-asked.ts'

type Needs = Pick<EngineNeeds, 'store' | 'history' | 'settings'>

/**
 * Everything that the prompt of a visit is made of, from rows, commits and the pinned playbook alone. `kept`: its agent
 * goes on in a conversation about earlier visits of its role, so only what is new in it is included. `again`: its agent
 * remembers this visit.
 */
export async function visitPromptInput(
  needs: Needs,
  asked: AskedVisit,
  attempt: Attempt,
  continued?: VisitPromptInput['continued'],
): Promise<VisitPromptInput> {
  if (continued === undefined) return { ...(await wholeInput(needs, asked)), handoffs: notesFor(attempt) }
  if (continued === 'again') return { ...(await wholeInput(needs, asked)), continued }
  const tries = await earlierTries(needs.store.read, asked.run)
  const visits = visitsInConversation(attempt, tries, asked.visits)
  const conversation = { playbook: asked.pinned.playbook, visits }
  const { notebook: _, ...input } = await wholeInput(needs, withoutKnown(asked, conversation))
  const notebook = newNotebook(asked, visits)
  const answers = earlierAnswers(asked).filter(({ id }) => !visits.some((known) => known.id === id))
  return {
    ...input,
    ...withoutUndefined({ notebook }),
    earlierRounds: answers.map(({ answer }) => answer),
    continued,
  }
}

/** A note could tell whoever judges what to answer. */
function notesFor(attempt: Attempt): Attempt['handoffs'] {
  return attemptRulesOf(attempt).makesWork ? attempt.handoffs : []
}

type Conversation = Parameters<typeof isResultKnown>[0]

function withoutKnown(asked: AskedVisit, conversation: Conversation): AskedVisit {
  const { visit, visits, stage } = asked
  const isNew = (id: Visit['id']) => {
    const result = visits.find((one) => one.id === id)
    return result === undefined || !isResultKnown(conversation, result, stage.sees)
  }
  // The goal and the inputs of a run never change, so a conversation needs them only once.
  const sees = stage.sees.filter(
    (reference) => !['goal', 'inputs'].includes(reference.of) || !wasShown(conversation, reference),
  )
  // A judge answers with a number in the list of all candidates.
  const inputs = isJudge(stage) ? visit.inputs : visit.inputs.filter(isNew)
  return { ...asked, visit: { ...visit, inputs }, stage: { ...stage, sees } }
}

function newNotebook({ pinned, visits, visit }: AskedVisit, [last]: readonly Visit[]): Notebook | undefined {
  const { playbook } = pinned
  if (!playbook.hasNotebook) return undefined
  const now = notebookFor(playbook, visits, visit)
  return last === undefined ? now : newInNotebook(now, notebookFor(playbook, visits, last))
}

async function wholeInput(needs: Needs, asked: AskedVisit): Promise<VisitPromptInput> {
  const { run, visits, pinned, visit, stage, role, job, schema } = asked
  const candidates = isJudge(stage) ? await candidatesOf(needs, asked) : []
  const scope = stage.scope === undefined ? undefined : answersFor(asked, stage.scope)[0]
  return withoutUndefined({
    playbook: run.playbook.name,
    stage: visit.stage,
    round: visit.round,
    role: stage.role,
    mode: role.mode,
    rolePrompt: rolePromptOf(pinned.files, stage.prompt ?? role.prompt),
    asks: stage.asks,
    others: othersFor(asked),
    tools: toolsInStage(pinned.playbook, visit.stage),
    branch: role.mode === 'write' ? job.workingBranch : undefined,
    goal: stage.sees.some(({ of }) => of === 'goal') ? run.goal : undefined,
    item: visit.item,
    notebook: pinned.playbook.hasNotebook ? notebookFor(pinned.playbook, visits, visit) : undefined,
    sees: await seenOf(needs, asked),
    candidates,
    earlierRounds: earlierAnswers(asked).map(({ answer }) => answer),
    keeps: stage.keeps === undefined ? [] : keptFiles(visits, stage.keeps),
    scope,
    beyondScope: hasFormat(stage.output, 'review') ? beyondScopeOf(asked) : [],
    output: stage.output,
    schema,
    problem: visit.problem,
    boundary: needs.settings.makeBoundary(),
  })
}

function rolePromptOf(files: PinnedPlaybook['files'], name: string): string {
  return files[name] ?? files[`${name}.md`] ?? ''
}

/** A program can read messages, a plain model can't. Work that is compared with others should speak for itself. */
function othersFor({ pinned, stage }: AskedVisit): readonly string[] {
  if (stage.fanOut !== undefined) return []
  return Object.entries(pinned.playbook.roles).flatMap(([name, { mode }]) =>
    name === stage.role || mode === 'model' ? [] : [name],
  )
}

/**
 * The files that a later stage must leave alone: those of the newest work of these stages. The work of a revision
 * includes what it revises, so a file that the revision removed isn't among them.
 */
export function keptFiles(
  visits: readonly Visit[],
  stages: NonNullable<RoleStage['keeps']>,
): readonly string[] {
  const entries = [stages].flat().map((stage) => newestEntry(visits, stage).filter(({ work }) => work))
  const newest = entries.toSorted(([one], [two]) => (two?.ordinal ?? 0) - (one?.ordinal ?? 0))[0] ?? []
  return newest.flatMap(({ work }) => work?.files ?? [])
}

/** What the work under review changes although its scope doesn't mention it. */
function beyondScopeOf({ pinned, visits }: AskedVisit): readonly string[] {
  return newestWork(pinned.playbook, visits)?.by.work?.beyondScope ?? []
}

function isJudge({ output }: RoleStage): boolean {
  return hasFormat(output, 'choice')
}

/**
 * Whoever answers anew improves on the last answer. A change is in the tree, and the branches of a fan-out work without
 * knowing of each other.
 */
function seesEarlierRounds({ output, fanOut }: RoleStage): boolean {
  return hasFormat(output, 'review') || (!hasFormat(output, 'change') && fanOut === undefined)
}

/** The earlier visits of its stage that were answered, oldest first. */
function earlierAnswers({ stage, visits, visit }: AskedVisit): readonly Visit[] {
  if (!seesEarlierRounds(stage)) return []
  return visits.filter(
    (one) => one.stage === visit.stage && one.ordinal < visit.ordinal && one.answer !== undefined,
  )
}

async function seenOf(needs: Needs, asked: AskedVisit): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (const reference of asked.stage.sees) seen.push(...(await seenFor(needs, asked, reference)))
  return seen
}

async function seenFor(needs: Needs, asked: AskedVisit, reference: Reference): Promise<readonly Seen[]> {
  const { pinned, visits, visit, stage } = asked
  const { of, field } = reference
  if (of === 'goal') return []
  if (of === 'inputs') return inputFor(asked, field)
  if (of === 'diff') {
    const commit = commitOfRun(pinned.playbook, asked.run, visits)
    return commit === undefined ? [] : [{ type: 'diff', diff: await diffOf(needs, asked, commit) }]
  }
  if (pinned.playbook.stages[of]?.type === 'checks') {
    return seenResults(visits, visit, reference).map(({ visit: check }) => ({
      type: 'checks',
      stage: of,
      hasPassed: outcomeOf(check) === 'pass',
      output: checkAnswerOf(check.answer).output,
    }))
  }
  if (pinned.playbook.stages[of]?.type === 'gate') return commentsAt(asked, reference)
  const isCompared = isJudge(stage) && seenResults(visits, visit, reference).length > 1
  return isCompared ? [] : answersFor(asked, reference)
}

/** A gate has no other answer than what the person said, if anything. */
function commentsAt({ visits, visit }: AskedVisit, { of }: Reference): readonly Seen[] {
  return seenResults(visits, visit, { of }).flatMap(({ value }) => {
    const text = commentOf(value)
    return text === '' ? [] : [{ type: 'comment', stage: of, text }]
  })
}

function inputFor({ run }: AskedVisit, name: string | undefined): readonly Seen[] {
  const value = name === undefined ? undefined : run.inputs[name]
  return name === undefined || value === undefined ? [] : [{ type: 'input', name, value }]
}

function answersFor({ visits, visit }: AskedVisit, reference: Reference): readonly SeenAnswer[] {
  return seenResults(visits, visit, reference).map(({ value, place }) => ({
    type: 'answer',
    stage: reference.of,
    answer: value,
    ...withoutUndefined({ field: reference.field, place }),
  }))
}

async function candidatesOf(needs: Needs, asked: AskedVisit): Promise<readonly Candidate[]> {
  const { visits, visit } = asked
  const shown: Candidate[] = []
  for (const id of candidatesIn(visit.inputs, visits)) {
    const candidate = visits.find((one) => one.id === id)
    if (candidate?.commit === undefined) shown.push({ type: 'answer', answer: candidate?.answer })
    else shown.push({ type: 'change', diff: await diffOf(needs, asked, candidate.commit) })
  }
  return shown
}

async function diffOf({ history }: Needs, { job, run }: AskedVisit, commit: string): Promise<SeenDiff> {
  const diff = await history.diff(job.projectId, run.baseCommit, commit, PROMPT_LIMITS.visit.patchBytes)
  if (!diff.ok) throw new Error(`the work could not be compared: ${describeFailure(diff.failure)}`)
  return diff.value
}
