import type { ApiError, MusterClient, Result, WireBaseDecision } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { baseLines } from '../render/job/base-lines.ts'
import { diffLines } from '../render/task/diff-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { PersonWait } from './person-waits.ts'

/** What a key did: it may ask for text, which needs the whole terminal. */
export type KeyEffect = 'done' | 'write-reply'

type Print = (line: string) => void

/** The keys that answer what is shown. */
export function keysFor(wait: PersonWait): string {
  switch (wait.type) {
    case 'question':
      return 'r reply'
    case 'base':
      return `${wait.isSetup ? '' : 'c continue · '}f fix it first · s stop the job · v view`
    case 'approval':
      return 'a allow · d deny · r deny with a reason · v view'
    default:
      return assertNever(wait)
  }
}

const BASE_DECISIONS: Readonly<Record<string, WireBaseDecision>> = { c: 'continue', f: 'fix', s: 'stop' }

/** Applies one key to the request that is shown, and to no other: its digest goes with the decision. */
export async function answerInPlace(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
  key: string,
  print: Print,
): Promise<KeyEffect> {
  if (key === 'r') return wait.type === 'base' ? 'done' : 'write-reply'
  if (key === 'v') await view(needs, client, wait, print)
  const decided = await decide(client, wait, key)
  if (decided?.ok === false) print(safeLine(decided.failure.message))
  return 'done'
}

/** The answer of the daemon; undefined if the key decides nothing. */
async function decide(
  client: MusterClient,
  wait: PersonWait,
  key: string,
): Promise<Result<unknown, ApiError> | undefined> {
  const decision = BASE_DECISIONS[key]
  if (wait.type === 'base') {
    const isOffered = decision !== undefined && !(wait.isSetup && decision === 'continue')
    return isOffered ? client.decideBase(wait.id, decision) : undefined
  }
  if (wait.type !== 'approval' || (key !== 'a' && key !== 'd')) return undefined
  const { id, digest } = wait
  return key === 'a' ? client.allowApproval(id, { digest }) : client.denyApproval(id, { digest })
}

async function view(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
  print: Print,
): Promise<void> {
  for (const line of await viewLines(needs, client, wait)) print(line)
}

async function viewLines(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
): Promise<readonly string[]> {
  const { output, surroundings } = needs
  if (wait.type === 'question') return [wait.words]
  if (wait.type === 'base') {
    const base = await client.getBase(wait.id)
    const lines = base.ok ? baseLines(base.value, displayOf(needs)) : [safeLine(base.failure.message)]
    return lines.map(output.ids.inText)
  }
  if (wait.isLanding) {
    const diff = await client.getApprovalDiff(wait.id)
    return diff.ok ? diffLines(diff.value, output.paint, 'whole') : [safeLine(diff.failure.message)]
  }
  const approval = await client.getApproval(wait.id)
  return approval.ok
    ? approvalLines(approval.value, surroundings.now(), displayOf(needs), 'whole')
    : [safeLine(approval.failure.message)]
}

/** Asks for the text of a reply, and sends it: the answer to a question, or the reason of a denial. */
export async function writeReply(
  needs: CommandNeeds,
  client: MusterClient,
  wait: Exclude<PersonWait, { type: 'base' }>,
  signal: AbortSignal,
): Promise<void> {
  const { isCancel, text } = await import('@clack/prompts')
  const { stdin: input, stdout: output } = needs.surroundings
  const reply = await text({ message: replyPrompt(wait), input, output, signal })
  if (isCancel(reply) || reply === undefined || reply.trim() === '') return
  const sent =
    wait.type === 'question'
      ? await client.sendMessage({ inReplyTo: wait.id, body: reply })
      : await client.denyApproval(wait.id, { digest: wait.digest, reason: reply })
  if (!sent.ok) needs.output.note(safeLine(sent.failure.message))
}

/** Who reads the reply. The agent whose landing is denied has finished and doesn't try again. */
function replyPrompt(wait: Exclude<PersonWait, { type: 'base' }>): string {
  if (wait.type === 'question') return safeLine(wait.words)
  return wait.isLanding
    ? 'Why not? The task ends without landing. The next planner will read this:'
    : 'Why not? The agent will read this:'
}
