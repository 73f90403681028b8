import { z } from 'zod'
import { DECISION_SCOPES } from '../domain/approval/approval-rule.ts'
import { verdictTypeSchema } from './attempt.ts'
import { fileChangeSchema } from './diff.ts'
import { instantSchema } from './instant.ts'
import { checkResultSchema } from './landing.ts'
import { pageQuerySchema } from './page-query.ts'
import { idSchema, reasonSchema } from './text.ts'

/** An agent's program asks to use one of its tools. */
const toolUseSchema = z.object({
  type: z.literal('tool-use'),
  tool: z.string(),
  input: z.unknown(),
  /** Why the program asks, in its own words. */
  reason: z.string().optional(),
  directory: z.string(),
})

/** The merge queue asks to move a branch to a commit that passed its checks. */
const landingActionSchema = z.object({
  type: z.literal('landing'),
  /** The tasks whose work would land; none for new commits of the base branch. */
  tasks: z.array(z.object({ name: z.string(), title: z.string() })).readonly(),
  base: z.string().optional(),
  branch: z.string(),
  onto: z.string(),
  commit: z.string(),
  tree: z.string(),
  landingIds: z.array(z.string()).readonly(),
  /** What is unusual about the work, so that a person is asked in every mode. */
  unusual: z.array(z.string()).readonly().optional(),
  /** The start of the change. Absent in events. */
  diff: z
    .object({
      files: z.array(fileChangeSchema).readonly(),
      patch: z.string(),
      isCut: z.boolean(),
      problem: z.string().optional(),
    })
    .optional(),
  reason: z.string().optional(),
  directory: z.string(),
})

/** A run of a playbook asks whether it may go on, or land work that is not complete. */
const gateActionSchema = z.object({
  type: z.literal('gate'),
  runId: z.string(),
  playbook: z.string(),
  /** The gate, or the end that the run has come to: `end.partial`. */
  stage: z.string(),
  ask: z.string(),
  /** What the person is shown. Empty in events. */
  shows: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
  /** It is about a stage in trouble: allowing tries again, denying gives it up, and denying can also end the run. */
  isTrouble: z.literal(true).optional(),
  /** The work that the answer is about. */
  commit: z.string().optional(),
  directory: z.string(),
})

export const approvalActionSchema = z.discriminatedUnion('type', [
  toolUseSchema,
  landingActionSchema,
  gateActionSchema,
])

/** A request for one decision on one exact action. */
export const approvalSchema = z
  .object({
    id: z.string(),
    jobId: z.string().optional(),
    attemptId: z.string().optional(),
    /** The session that asks; absent if the merge queue asks about a candidate. */
    sessionId: z.string().optional(),
    candidateId: z.string().optional(),
    /** The run that asks, and the visit if it asks at a gate. */
    runId: z.string().optional(),
    visitId: z.string().optional(),
    /** The agent, role and process of the session that asks. */
    agent: z.string().optional(),
    role: z.string().optional(),
    processNumber: z.number().optional(),
    requestId: z.string().optional(),
    /** Identifies the action. A decision sent with a digest applies to that action only. */
    digest: z.string(),
    action: approvalActionSchema,
    /** The task that the session works on: t1-2. */
    task: z.string().optional(),
    /** The whole action as one sentence. */
    summary: z.string(),
    /** What is unusual about the action. Information for the person who decides. */
    unusual: z.array(z.string()).readonly(),
    /** What a decision with a wider scope would allow. Absent if the scope can't be used. */
    scopes: z.object({ job: z.string().optional(), session: z.string().optional() }),
    /** The rule that allowed it without asking. */
    ruleId: z.string().optional(),
    /** Checks and reviews behind a commit that is ready to land. */
    evidence: z
      .object({
        checks: z.array(checkResultSchema),
        reviews: z.array(
          z.object({
            taskId: z.string(),
            /** The task's label: cycle and number. */
            task: z.string(),
            agent: z.string(),
            verdict: verdictTypeSchema,
            summary: z.string(),
          }),
        ),
      })
      .optional(),
    status: z.enum(['pending', 'allowed', 'denied', 'expired', 'void']),
    by: z.string().optional(),
    /** The denial ends the run. */
    aborts: z.literal(true).optional(),
    /** Counts what a visit in trouble has asked so far. */
    number: z.number().optional(),
    /** Why it was denied, or why the request was withdrawn. */
    reason: z.string().optional(),
    version: z.number(),
    createdAt: instantSchema,
    expiresAt: instantSchema,
    decidedAt: instantSchema.optional(),
  })
  .meta({ id: 'Approval' })

export const approvalQuerySchema = pageQuerySchema.extend({
  job: idSchema.optional(),
  session: idSchema.optional(),
  status: z.enum(['pending', 'all']).default('pending'),
})

const digestSchema = z.string().max(200).optional()

export const allowRequestSchema = z
  .object({
    digest: digestSchema,
    /** `job`: always this exact command in the job. `session`: everything of this kind in the session. */
    scope: z.enum(DECISION_SCOPES).default('once'),
  })
  .strict()
  .refine(({ scope, digest }) => scope === 'once' || digest !== undefined, {
    path: ['digest'],
    message: 'is required with a scope',
  })
  .meta({ id: 'AllowRequest' })

/** What a person allowed in advance, with one decision. */
export const approvalRuleSchema = z
  .object({
    id: z.string(),
    /** The request whose decision made the rule. */
    approvalId: z.string(),
    scope: z.enum(['job', 'session']),
    jobId: z.string().optional(),
    sessionId: z.string().optional(),
    agent: z.string().optional(),
    /** What it allows, as one sentence. */
    allows: z.string(),
    /** It has no effect any more once it is revoked or its job or session has ended. */
    status: z.enum(['active', 'revoked', 'ended']),
    by: z.string(),
    createdAt: instantSchema,
    revokedBy: z.string().optional(),
    revokedAt: instantSchema.optional(),
  })
  .meta({ id: 'ApprovalRule' })

export const approvalRuleQuerySchema = pageQuerySchema.extend({
  job: idSchema.optional(),
  status: z.enum(['active', 'all']).default('active'),
})

export type WireApprovalRule = z.infer<typeof approvalRuleSchema>

export const denyRequestSchema = z
  .object({
    reason: reasonSchema,
    digest: digestSchema,
    /** Ends the run as well. Only for a stage in trouble. */
    abort: z.boolean().optional(),
  })
  .strict()
  .meta({ id: 'DenyRequest' })

export type WireApproval = z.infer<typeof approvalSchema>
