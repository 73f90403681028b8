import { z } from 'zod'
import { passedOverSchema } from './agent.ts'
import { instantSchema } from './instant.ts'
import { endingSchema, sessionEndSchema, turnOutcomeSchema } from './session-end.ts'
import { startWaitSchema } from './waiting.ts'

/** Why the work of a personal session is not on its branch: it was refused, or the delivery failed. */
export const undeliveredSchema = z.object({ type: z.enum(['refused', 'failed']), reason: z.string() })

export const sessionPurposeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attempt'), attemptId: z.string() }),
  z.object({ type: z.literal('check'), candidateId: z.string(), index: z.number() }),
  /** Checks the commit that jobs start from. */
  z.object({ type: z.literal('baseline'), baselineId: z.string(), index: z.number() }),
  /** Checks the work of a run. */
  z.object({ type: z.literal('visit-check'), visitId: z.string(), index: z.number() }),
  /** Opened by a person, in its own working tree. */
  z.object({
    type: z.literal('personal'),
    projectId: z.string(),
    repositoryPath: z.string(),
    branch: z.string(),
    baseCommit: z.string(),
    /** The commit it left when it ended, once its work is pinned. */
    tip: z.string().optional(),
    /** Why that commit is not on the branch in the repository. */
    undelivered: undeliveredSchema.optional(),
    passedOver: passedOverSchema.optional(),
  }),
  /** Asks an earlier session a question. */
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

/** How strongly programs are contained, strongest first; a process group restricts nothing. */
export const containmentSchema = z.enum(['bubblewrap', 'pid-namespace', 'process-group'])
/** What contains the session, or `none` if nothing restricts it. */
export const sandboxSchema = z.enum(['bubblewrap', 'pid-namespace', 'none'])

/** Why a session is suspended. */
export const suspensionSchema = z.object({
  why: z.enum(['asked', 'limited', 'unready']),
  /** Absent if a person suspended it without a reason. */
  reason: z.string().optional(),
  /** What a person can do about it, if its program can't work. */
  remedy: z.string().optional(),
  /** When it resumes by itself. */
  until: instantSchema.optional(),
  /** Its program has exited, so the session can be resumed. */
  hasExited: z.boolean(),
  /** A resume was requested and happens as soon as possible. */
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
    /** Absent for a session outside any job. */
    jobId: z.string().optional(),
    /** The task that its attempt works on. */
    taskId: z.string().optional(),
    purpose: sessionPurposeSchema,
    agent: z.string(),
    provider: z.string(),
    role: z.string(),
    mode: sessionModeSchema,
    status: sessionStatusSchema,
    /** Counts the programs started for this session; every resume adds one. */
    processNumber: z.number(),
    /** The limit it is waiting for, while it waits to start. */
    waiting: startWaitSchema.optional(),
    pid: z.number().optional(),
    suspended: suspensionSchema.optional(),
    /** How it ended or, while it is being stopped, why. */
    end: sessionEndSchema.optional(),
    ending: endingSchema.optional(),
    /** How its last turn ended. */
    turn: turnOutcomeSchema.optional(),
    /** Messages sent to it that it has not answered yet. */
    openTurns: z.number(),
    /** The program's own id for the conversation. */
    providerSessionId: z.string().optional(),
    /** It is suspended and can be resumed now. */
    resumable: z.boolean(),
    /** It is suspended or has ended, and its conversation can be asked a question. */
    askable: z.boolean(),
    usage: usageSchema,
    contextTokens: z.number().optional(),
    contextWindow: z.number().optional(),
    sandbox: sandboxSchema.optional(),
    /** Bytes of output that have been turned into events. */
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
