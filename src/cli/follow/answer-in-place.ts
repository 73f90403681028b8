import type { ApiError, MusterClient, Result, WireBaseDecision } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirmScope, scopeRule } from '../confirm-scope.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { PersonWait } from './person-waits.ts'
import { fitsOnScreen, pageView, readWaitView } from './view-wait.ts'

/** What a key starts that needs the whole terminal, such as a prompt or a pager. */
export type Aside = (ending: AbortSignal) => Promise<void>

type Print = (line: string) => void

/** Every command and every other tool use of a job can be allowed with a scope; a landing or a gate can't. */
const SCOPES: Readonly<Record<string, 'job' | 'session'>> = { j: 'job', s: 'session' }
const SCOPE_KEYS = 'j always in this job · s all alike in this session · '

/** The keys that answer what is shown, with a dot between them. */
export function keysFor(wait: PersonWait): string {
  switch (wait.type) {
    case 'question':
      return 'r reply · v view'
    case 'base':
      return `${wait.isSetup ? '' : 'c continue · '}f fix it first · t try again · s stop the job · v view`
    case 'unready':
      return 't try again · v view'
    case 'approval':
      return `a allow · ${wait.asks === 'tool-use' ? SCOPE_KEYS : ''}d deny · r deny with a reason · v view`
    default:
      return assertNever(wait)
  }
}

const BASE_DECISIONS: Readonly<Record<string, WireBaseDecision>> = {
  c: 'continue',
  f: 'fix',
  t: 'retry',
  s: 'stop',
}

/**
 * Applies one key to the request that is shown, and to no other: its digest goes with the decision. Returns what is left
 * to do without the live view, if anything.
 */
export async function answerInPlace(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
  key: string,
  print: Print,
): Promise<Aside | undefined> {
  if (key === 'r' && isReplyable(wait)) return (ending) => writeReply(needs, client, wait, ending)
  if (key === 'v') return await view(needs, client, wait, print)
  const scope = SCOPES[key]
  if (scope !== undefined && wait.type === 'approval' && wait.asks === 'tool-use')
    return (ending) => allowWithScope(needs, client, wait, scope, ending)
  const decided = await decide(client, wait, key)
  if (decided?.ok === false) print(safeLine(decided.failure.message))
  if (decided?.ok === true && wait.type === 'unready') print('trying again')
  return undefined
}

type Replyable = Extract<PersonWait, { type: 'question' | 'approval' }>

function isReplyable(wait: PersonWait): wait is Replyable {
  return wait.type === 'question' || wait.type === 'approval'
}

/** Prints what fits on the screen. More would push the live view away, and goes to a pager. */
async function view(
  needs: CommandNeeds,
  client: MusterClient,
  wait: PersonWait,
  print: Print,
): Promise<Aside | undefined> {
  const shown = await readWaitView(needs, client, wait)
  if (!fitsOnScreen(needs, shown.whole)) return () => pageView(needs, shown)
  for (const line of shown.whole) print(line)
  return undefined
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
  // All programs of the job that can't work try again: one log-in may help several.
  if (wait.type === 'unready') return key === 't' ? client.resumeJob(wait.id) : undefined
  if (wait.type !== 'approval' || (key !== 'a' && key !== 'd')) return undefined
  const { id, digest } = wait
  return key === 'a' ? client.allowApproval(id, { digest }) : client.denyApproval(id, { digest })
}

/** Allows more than this request, after the person has read what. */
async function allowWithScope(
  needs: CommandNeeds,
  client: MusterClient,
  { id, digest }: PersonWait & { type: 'approval' },
  scope: 'job' | 'session',
  signal: AbortSignal,
): Promise<void> {
  const approval = await client.getApproval(id)
  if (!approval.ok) return needs.output.note(safeLine(approval.failure.message))
  const rule = scopeRule(scope, approval.value)
  if (rule === undefined) return needs.output.note('this request can only be allowed once')
  const isSure = await confirmScope(needs, rule, signal)
  if (!isSure) return
  const allowed = await client.allowApproval(id, { digest, scope })
  if (!allowed.ok) needs.output.note(safeLine(allowed.failure.message))
}

/** Asks for the text of a reply, and sends it: the answer to a question, or the reason of a denial. */
async function writeReply(
  needs: CommandNeeds,
  client: MusterClient,
  wait: Replyable,
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

const WHY_NOT = {
  'tool-use': 'Why not? The agent will read this:',
  gate: 'Why not? The next stages will read this:',
  landing: 'Why not? The task ends without landing. The next planner will read this:',
} as const

/** Who reads the reply. The agent whose landing is denied has finished and doesn't try again. */
function replyPrompt(wait: Replyable): string {
  if (wait.type === 'question') return safeLine(wait.words)
  return WHY_NOT[wait.asks]
}
