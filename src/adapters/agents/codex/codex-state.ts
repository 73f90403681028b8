import { z } from 'zod'
import type { DialogueState, Opening } from '../../../ports/dialogue.ts'

/** Longer ones are none of the program's: they would only make the state large. */
export const identifier = z.string().max(256)
export const requestIdentifier = z.union([identifier, z.number()])

const begun = z.object({ threadId: identifier })
/** Whether the message that comes first is to be interrupted as soon as its turn has begun. */
const interruptible = z.object({ interrupt: z.boolean() })

/** How far the conversation is: greeted, thread joined, turn begun. */
const stage = z.discriminatedUnion('type', [
  interruptible.extend({ type: z.literal('greeting') }),
  interruptible.extend({ type: z.literal('joining') }),
  begun.extend({ type: z.literal('idle') }),
  begun.extend({ ...interruptible.shape, type: z.literal('starting'), requestId: z.number() }),
  begun.extend({
    type: z.literal('working'),
    turnId: identifier,
    /** The last thing the agent said in this turn. */
    answer: z.string().optional(),
    problem: z.string().optional(),
  }),
  z.object({ type: z.literal('broken'), reason: z.string() }),
])

const openRequest = z.object({
  /** As the program wrote it: its answer must carry the same. */
  id: requestIdentifier,
  requestId: z.string(),
  kind: z.enum(['approval', 'grant', 'elicitation']),
  /** What is granted when it is allowed. */
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
  /** Messages that wait for their turn. */
  waiting: z.array(z.string()),
  openRequests: z.array(openRequest),
  /** Tokens of this thread that were reported already. */
  spent: z.object({ input: z.number(), output: z.number() }),
  limits: z.array(limitWindow),
  /** Files of the changes that are being made: a question about one names it by its id alone. */
  changes: z.array(z.object({ itemId: identifier, paths: z.array(z.string()) })),
})

export type CodexStage = z.infer<typeof stage>
export type CodexState = z.infer<typeof codexState>
export type OpenRequest = z.infer<typeof openRequest>
export type LimitWindow = z.infer<typeof limitWindow>

/** A stored state, or nothing when it is none of ours. */
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
