import { z } from 'zod'
import type { DialogueState, Opening } from '../../../ports/dialogue.ts'

/** The program's ids are shorter than this. Longer ones would only bloat the state. */
export const identifier = z.string().max(256)
export const requestIdentifier = z.union([identifier, z.number()])

const begun = z.object({ threadId: identifier })
/** Whether the first message must be interrupted as soon as its turn has started. */
const interruptible = z.object({ interrupt: z.boolean() })

/** The progress of the conversation: greeting, joining a thread, working on a turn. */
const stage = z.discriminatedUnion('type', [
  interruptible.extend({ type: z.literal('greeting') }),
  interruptible.extend({ type: z.literal('joining') }),
  begun.extend({ type: z.literal('idle') }),
  begun.extend({ ...interruptible.shape, type: z.literal('starting'), requestId: z.number() }),
  begun.extend({
    type: z.literal('working'),
    turnId: identifier,
    /** The agent's last message in this turn. */
    answer: z.string().optional(),
    problem: z.string().optional(),
    /** Requests in a row that got no answer, and whether we interrupted the turn because of them. */
    unanswered: z.number().optional(),
    isUnreachable: z.boolean().optional(),
  }),
  z.object({ type: z.literal('broken'), reason: z.string() }),
])

const openRequest = z.object({
  /** The id as the program wrote it, which the answer must repeat. */
  id: requestIdentifier,
  requestId: z.string(),
  kind: z.enum(['approval', 'grant', 'elicitation']),
  /** The permissions that allowing the request grants. */
  grant: z.record(z.string(), z.unknown()).optional(),
})

const limitWindow = z.object({ usedPercent: z.number(), resetsAt: z.number().optional() })

const codexState = z.object({
  stage,
  nextId: z.number(),
  permissions: z.enum(['ask', 'bypass']),
  treeDirectory: z.string(),
  model: z.string().optional(),
  resume: z.string().optional(),
  /** Messages that wait to be sent. */
  waiting: z.array(z.string()),
  openRequests: z.array(openRequest),
  /** Tokens of this thread that were already reported. */
  spent: z.object({ input: z.number(), output: z.number() }),
  limits: z.array(limitWindow),
  /** The files of pending changes. A permission request names a change only by its id. */
  changes: z.array(z.object({ itemId: identifier, paths: z.array(z.string()) })),
})

export type CodexStage = z.infer<typeof stage>
export type CodexState = z.infer<typeof codexState>
export type OpenRequest = z.infer<typeof openRequest>
export type LimitWindow = z.infer<typeof limitWindow>

/** Parses a stored state; undefined if it isn't one of ours. */
export function parseCodexState(state: DialogueState): CodexState | undefined {
  return codexState.safeParse(state).data
}

export function openingState(opening: Opening, nextId: number): CodexState {
  return {
    stage: { type: 'greeting', interrupt: false },
    nextId,
    permissions: opening.permissions,
    treeDirectory: opening.treeDirectory,
    ...(opening.model === undefined ? {} : { model: opening.model }),
    ...(opening.resume === undefined ? {} : { resume: opening.resume }),
    waiting: [opening.prompt],
    openRequests: [],
    spent: { input: 0, output: 0 },
    limits: [],
    changes: [],
  }
}
