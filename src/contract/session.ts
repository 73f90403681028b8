import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { endingSchema, sessionEndSchema } from './session-end.ts'
import { turnOutcomeSchema } from './turn-outcome.ts'
import { startWaitSchema } from './waiting.ts'

export const sessionPurposeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attempt'), attemptId: z.string() }),
  z.object({ type: z.literal('check'), candidateId: z.string(), index: z.number() }),
  /** Opened by a person, in a working tree of its own. */
  z.object({
    type: z.literal('personal'),
    projectId: z.string(),
    repositoryPath: z.string(),
    branch: z.string(),
    baseCommit: z.string(),
  }),
  /** Asks an earlier session what it knows. */
  z.object({ type: z.literal('query'), of: z.string(), question: z.string() }),
])

export const sessionStatusSchema = z.enum([
  'waiting',
  'starting',
  'running',
  'suspended',
  'terminating',
  'terminated',
])
export const sessionModeSchema = z.enum(['headless', 'interactive'])

/** How firmly programs are held, strongest first; a process group limits nothing. */
export const containmentSchema = z.enum(['bubblewrap', 'pid-namespace', 'process-group'])
/** The same as what it keeps a session from. */
export const sandboxSchema = z.enum(['bubblewrap', 'pid-namespace', 'none'])

/** Why a session rests. */
export const suspensionSchema = z.object({
  why: z.enum(['asked', 'limited']),
  reason: z.string(),
  /** When it goes on by itself. */
  until: instantSchema.optional(),
  /** Its program is gone: it can be started again. */
  isOver: z.boolean(),
  /** It was asked to go on and does so as soon as it can. */
  isResuming: z.boolean(),
})

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
})

export const sessionSchema = z
  .object({
    id: z.string(),
    /** Absent for a session outside of any job. */
    jobId: z.string().optional(),
    /** The task its attempt is at. */
    taskId: z.string().optional(),
    purpose: sessionPurposeSchema,
    agent: z.string(),
    provider: z.string(),
    role: z.string(),
    mode: sessionModeSchema,
    status: sessionStatusSchema,
    /** Counts the programs started for it: one more with every resume. */
    life: z.number(),
    /** While it waits for a place: which limit is reached. */
    waiting: startWaitSchema.optional(),
    pid: z.number().optional(),
    suspended: suspensionSchema.optional(),
    /** How it ended, or, while it is being stopped, why. */
    end: sessionEndSchema.optional(),
    ending: endingSchema.optional(),
    /** How its last turn ended. */
    turn: turnOutcomeSchema.optional(),
    /** Messages it was told and has not answered yet. */
    openTurns: z.number(),
    /** The program's own name for the conversation. */
    providerSessionId: z.string().optional(),
    /** Its conversation can be gone on with: by a resume, or by a question to it. */
    resumable: z.boolean(),
    usage: usageSchema,
    contextTokens: z.number().optional(),
    contextWindow: z.number().optional(),
    sandbox: sandboxSchema.optional(),
    /** Bytes of its output that have become events. */
    outputBytes: z.number(),
    errorBytes: z.number(),
    startedAt: instantSchema.optional(),
    deadline: instantSchema.optional(),
    version: z.number(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Session' })

export type WireSession = z.infer<typeof sessionSchema>
export type WireSuspension = z.infer<typeof suspensionSchema>
