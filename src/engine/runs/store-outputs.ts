import { taskPlace } from '../../domain/event/event-place.ts'
import { acknowledgedAtOnce } from '../../domain/message/acknowledged-at-once.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageType } from '../../domain/message/message-type.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import type { Stage } from '../../domain/playbook/stage.ts'
import { lastEntry } from '../../domain/run/entries.ts'
import type { RunStep } from '../../domain/run/next-run-step.ts'
import { saysSomething, stageMessageType } from '../../domain/run/stage-message.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { checkAnswerOf, commentOf } from '../../domain/run/visit-answer.ts'
import { visitLabel } from '../../domain/run/visit-label.ts'
import type { Task } from '../../domain/task/task.ts'
import { describeChanges } from '../../domain/task/work-changes.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { insertMessage, newMessage } from '../messages/new-message.ts'
import { answerText } from '../prompts/answer-text.ts'
import { messageChange } from '../receipts/message-change.ts'
import type { RunNeeds } from './run-needs.ts'

type Step = Extract<RunStep, { type: 'continue' }>
type Needs = Pick<RunNeeds, 'ids' | 'clock'>

/**
 * Stores what the stage that a run leaves has made, as messages to the role that comes next, so that a run reads as one
 * conversation. Runs in the transaction that routes. The prompts contain what the next role needs, so nobody receives
 * these messages: they count as acknowledged when they are stored.
 */
export async function storeOutputs(
  needs: Needs,
  records: Records,
  loaded: LoadedRun,
  task: Task,
  step: Step,
): Promise<void> {
  const { run, visits, pinned } = loaded
  const recipient = recipientOf(pinned.playbook.stages, step)
  const left = lastEntry(visits)
  if (left.length === 0) {
    const stage = step.drafts.at(-1)?.stage ?? pinned.playbook.start
    const output = { stage, type: 'task', subject: `${run.playbook.name}: ${stage}`, body: run.goal } as const
    return await store(needs, records, loaded, task, { ...output, sender: 'engine', recipient })
  }
  for (const visit of left) {
    const stage = pinned.playbook.stages[visit.stage]
    if (stage === undefined || !saysSomething(stage, visit)) continue
    const sent = await outputOf(records, stage, visit)
    await store(needs, records, loaded, task, { ...sent, recipient })
  }
}

type SentOutput = Pick<Message, 'sender' | 'recipient' | 'subject' | 'body'> & {
  readonly senderRole?: string
  readonly type: MessageType
  readonly stage: string
  readonly visit?: Visit
}

async function store(
  needs: Needs,
  records: Records,
  { run }: LoadedRun,
  task: Task,
  { stage, visit, sender, senderRole, ...draft }: SentOutput,
): Promise<void> {
  const metadata = {
    stage,
    ...withoutUndefined({
      visitId: visit?.id,
      round: visit?.round,
      branch: visit?.branch === 0 ? undefined : visit?.branch,
      outcome: visit === undefined ? undefined : outcomeOf(visit),
      commit: visit?.commit,
    }),
  }
  const made = newMessage(
    needs,
    { sender, jobId: run.jobId, ...withoutUndefined({ senderRole }) },
    { ...draft, threadId: run.id, content: { kind: 'output', metadata } },
  )
  // An answer that doesn't fit into a message is still in its visit.
  if (!made.ok) return
  const message = acknowledgedAtOnce(made.value.message)
  await insertMessage(
    records,
    { ...made.value, message },
    messageChange(message, 'engine', 'message_sent', taskPlace(task)),
  )
}

/** The role of the stage that the run enters next, or Muster itself if no agent comes next. */
function recipientOf(stages: Readonly<Record<string, Stage>>, { drafts, end }: Step): Recipient {
  const next = end === undefined ? stages[drafts.at(-1)?.stage ?? ''] : undefined
  return next?.type === 'role' ? `role:${next.role}` : 'engine'
}

async function outputOf(
  records: Records,
  stage: Stage,
  visit: Visit,
): Promise<Omit<SentOutput, 'recipient'>> {
  const attempt = visit.attemptId === undefined ? undefined : await records.attempts.find(visit.attemptId)
  const isRole = stage.type === 'role'
  return {
    visit,
    stage: visit.stage,
    sender: stage.type === 'gate' ? 'person' : ((isRole ? attempt?.sessionId : undefined) ?? 'engine'),
    ...(isRole ? { senderRole: stage.role } : {}),
    type: stageMessageType(stage, visit),
    subject: `${visitLabel(visit)}: ${outcomeOf(visit) ?? ''}`,
    body: bodyOf(stage, visit),
  }
}

function bodyOf(stage: Stage, visit: Visit): string {
  const outcome = outcomeOf(visit) ?? ''
  const { problem, answer, work } = visit
  if (outcome === 'failed' && problem !== undefined) return problem
  if (stage.type === 'checks')
    return checkAnswerOf(answer).output || (outcome === 'pass' ? 'All checks passed.' : 'A check failed.')
  if (stage.type === 'gate') return commentOf(answer) || `The person's decision: ${outcome}.`
  const text = answerText(answer)
  if (text !== '') return text
  return work === undefined ? outcome : describeChanges(work.changes)
}
